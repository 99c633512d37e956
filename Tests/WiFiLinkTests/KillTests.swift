import EventLoop
import Glibc
import TestSupport
import Log
import Testing
import WiFiLink

/// Each of the programs that a way runs kills the process that runs it, before or after it does its work.
@Suite("Wi-Fi: killed at any step", .timeLimit(.minutes(4)))
struct KillTests {
    enum Moment: String, CaseIterable { case before, after }

    @Test("NetworkManager's home profile is active again and the hotspot's gone", arguments: Moment.allCases)
    @Loop
    func networkManager(_ moment: Moment) async throws {
        try await everyStep(moment, .networkManager, { try FakeRadio.networkManager() }) { radio in
            let left = try await Command.run("ls", [radio.folder.path])
            let profiles = left.split(separator: "\n").filter { $0.hasPrefix("profile-") }
            return radio.text("active") == "home-profile\n" && profiles == ["profile-home-profile"]
        }
    }

    @Test("the supplicant's networks are as they were", arguments: Moment.allCases)
    @Loop
    func supplicant(_ moment: Moment) async throws {
        try await everyStep(moment, .supplicant, { try FakeRadio.supplicant() }) { radio in
            radio.text("current") == "0\n" && radio.text("net-3") == nil && radio.text("off-0") == nil
                && radio.text("off-1") != nil && radio.text("off-2") == nil
        }
    }

    @Test("the operator's program has been told to leave", arguments: Moment.allCases)
    @Loop
    func command(_ moment: Moment) async throws {
        try await everyStep(moment, .command, { try FakeRadio.command() }) { $0.text("joined") == nil }
    }

    @Test("a program that goes on joining after its gateway was killed is ended before the radio comes back")
    @Loop
    func survivor() async throws {
        let radio = try FakeRadio.command()
        try radio.program(
            "my-radio",
            """
            case $1 in
            join)
                (echo $$ > "$S/joiner"; kill -9 $PPID; sleep 1000; echo x > "$S/joined") & wait ;;
            leave) rm -f "$S/joined" ;;
            esac
            """
        )
        #expect(try await run(radio, .command) == .signalled(SIGKILL))
        let joiner = try #require(radio.text("joiner").flatMap { Int32($0.dropLast()) })
        #expect(isAlive(joiner) && radio.hasJournal)
        await WiFiLink(radio.options(.command, command: radio.commandLine), log: .discarding()).recover()
        #expect(!isAlive(joiner) && !radio.hasJournal && radio.text("joined") == nil)
        #expect(radio.calls.last == "my-radio leave")
    }

    /// Kills a process that joins and leaves at each of its calls, and recovers each time.
    @Loop
    private func everyStep(
        _ moment: Moment,
        _ way: WiFiOptions.Way,
        _ make: () throws -> FakeRadio,
        isHome: @Loop (FakeRadio) async throws -> Bool
    ) async throws {
        // Undisturbed, to count the steps.
        let whole = try make()
        #expect(try await run(whole, way).isSuccess)
        #expect(try await isHome(whole) && !whole.hasJournal)
        let steps = whole.count
        #expect(steps > (way == .command ? 1 : 6))
        var journals = 0
        for step in 1...steps {
            let radio = try make()
            try radio.write("\(step)", to: "kill-\(moment.rawValue)")
            let status = try await run(radio, way)
            if radio.hasJournal { journals += 1 }
            // A DHCP client is ended once it has told its lease, and then kills nobody after.
            let isOver = status.isSuccess && radio.calls.contains { $0.hasPrefix("udhcpc") } && moment == .after
            #expect(isOver || status == .signalled(SIGKILL), "step \(step)")
            let end = radio.calls.last ?? ""
            let options = radio.options(way, command: way == .command ? radio.commandLine : [])
            let link = WiFiLink(options, log: .discarding())
            await link.recover()
            #expect(try await isHome(radio) && !radio.hasJournal, "step \(step): \(end)")
            await link.recover()
            #expect(try await isHome(radio), "step \(step) again: \(end)")
        }
        #expect(journals > 0)
    }

    /// Runs the process to its end, whatever that is.
    @Loop
    private func run(_ radio: FakeRadio, _ way: WiFiOptions.Way) async throws -> ChildProcess.ExitStatus {
        var status: ChildProcess.ExitStatus?
        let fact = Fact()
        let process = try ChildProcess(
            executable: try Mover.program(),
            arguments: [Mover.plan(radio, way)],
            environment: [:],
            stdin: .null,
            stdout: .null
        ) {
            status = $0
            fact.changed()
        }
        await fact.until { status != nil }
        withExtendedLifetime(process) {}
        return try #require(status)
    }
}
