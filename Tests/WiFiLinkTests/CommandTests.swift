import EventLoop
import HomeModel
import JSON
import Hub
import Log
import TestSupport
import Testing
import WiFiLink

@Suite("Wi-Fi by the operator's own program", .timeLimit(.minutes(1)))
struct CommandTests {
    @Loop
    private func link(_ radio: FakeRadio) -> WiFiLink {
        WiFiLink(radio.options(.command, command: radio.commandLine), log: .discarding())
    }

    @Test("the program is called as the contract says")
    @Loop
    func contract() async throws {
        let radio = try FakeRadio.command()
        let link = link(radio)
        #expect(try await link.scan().map(\.ssid) == ["home", "SmartLife-3F2A"])
        let place = try await link.join("SmartLife-3F2A", FakeRadio.secret)
        #expect(place == WiFiPlace(interface: "lo", address: "127.0.0.1", prefix: 8, gateway: "127.77.0.1"))
        #expect(radio.text("secret") == FakeRadio.secret && !radio.calls.contains { $0.contains("quoted") })
        #expect(radio.text("joined") == "SmartLife-3F2A")
        try await link.leave()
        #expect(radio.text("joined") == nil && !radio.hasJournal)
        #expect(link.way == "command")
    }

    @Test(
        "exit statuses have their meanings",
        arguments: [
            (2, ErrorCode.deviceNotFound), (3, .authFailed), (4, .timeout), (5, .capabilityMissing), (7, .internal),
            (127, .internal),
        ]
    )
    @Loop
    func statuses(_ status: Int, _ code: ErrorCode) async throws {
        let radio = try FakeRadio.command()
        let link = link(radio)
        try radio.write("\(status)", to: "fails")
        #expect(await failure { _ = try await link.join("SmartLife-3F2A") } == code)
        // It cannot leave either, which is not forgotten.
        #expect(radio.hasJournal)
        let finding = await link.preflight().first { $0.check == "journal" }
        #expect(finding?.level == .failure && finding?.hint != nil)
        radio.remove("fails")
        while radio.hasJournal { try await Loop.sleep(for: .milliseconds(5)) }
        #expect(await link.preflight().first { $0.check == "journal" }?.level == .ok)
    }

    @Test("what makes no sense is told as such")
    @Loop
    func nonsense() async throws {
        let radio = try FakeRadio.command()
        try radio.program("my-radio", "echo '[[['")
        let link = link(radio)
        #expect(await failure { _ = try await link.scan() } == .internal)
        #expect(await failure { _ = try await link.join("x") } == .internal)
        #expect(!radio.hasJournal)
    }

    @Test("an interface that this machine does not have is no place to be", arguments: ["nope7", "", "a b\n"])
    @Loop
    func wrongInterface(name: String) async throws {
        let radio = try FakeRadio.command()
        let place: JSONObject = ["interface": .string(name), "address": "127.0.0.1", "prefix": 8]
        try radio.program("my-radio", "case $1 in join) printf '%s' '\(JSON.object(place).text)' ;; esac")
        let link = link(radio)
        #expect(await failure { _ = try await link.join("x") } == .internal)
        #expect(!radio.hasJournal)
    }

    @Test("a program that hangs is ended with all that it has started")
    @Loop
    func hanging() async throws {
        let radio = try FakeRadio.command()
        try radio.program(
            "my-radio",
            "case $1 in join) sleep 1000 & echo $! > \"$S/sleeper\"; wait ;; esac"
        )
        var options = radio.options(.command, command: radio.commandLine)
        options.timeout = .milliseconds(300)
        let link = WiFiLink(options, log: .discarding())
        #expect(await failure { _ = try await link.join("x") } == .timeout)
        let sleeper = try #require(radio.text("sleeper").flatMap { Int32($0.dropLast()) })
        #expect(!isAlive(sleeper))
        #expect(radio.calls.last == "my-radio leave" && !radio.hasJournal)
    }

    @Test("leaving while joining is under way ends the join and comes back")
    @Loop
    func cancelled() async throws {
        let radio = try FakeRadio.command()
        try radio.program("my-radio", "case $1 in join) : > \"$S/began\"; sleep 1000 ;; esac")
        let link = link(radio)
        let join = Task { await failure { _ = try await link.join("x") } }
        while radio.text("began") == nil { try await Loop.sleep(for: .milliseconds(5)) }
        try await link.leave()
        #expect(await join.value == .conflict)
        #expect(radio.calls.last == "my-radio leave" && !radio.hasJournal)
    }

    @Test("a network that goes while it is joined is told once, and left all the same")
    @Loop
    func lost() async throws {
        let radio = try FakeRadio.command()
        let link = link(radio)
        var told: [String] = []
        let fact = Fact()
        link.onLost = {
            told.append("\($0) \($1)")
            fact.changed()
        }
        _ = try await link.join("SmartLife-3F2A")
        radio.remove("joined")
        await fact.until { !told.isEmpty }
        #expect(told == ["p-1 SmartLife-3F2A"] && radio.hasJournal)
        try await link.leave()
        #expect(told.count == 1 && !radio.hasJournal)
    }

    @Test("findings tell of the home side as the program does, and of the band")
    @Loop
    func preflight() async throws {
        let radio = try FakeRadio.command()
        let link = link(radio)
        let findings = await link.preflight()
        #expect(findings.map(\.check) == ["way", "radio", "home_link", "band", "journal"])
        #expect(findings.allSatisfy { $0.level == .ok }, "\(findings)")
        try radio.program(
            "my-radio",
            "case $1 in scan) echo '[{\"ssid\":\"x\",\"frequency\":5180}]' ;; status) echo '{\"home_survives\":false}' ;; esac"
        )
        let worse = await link.preflight().filter { $0.level == .warning }
        #expect(worse.map(\.check) == ["home_link", "band"] && worse.allSatisfy { $0.hint != nil })
        var options = radio.options(.command, command: radio.commandLine)
        options.homeInterface = "nowhere0"
        let cut = await WiFiLink(options, log: .discarding()).preflight().first { $0.check == "home_link" }
        #expect(cut?.level == .failure)
    }
}
