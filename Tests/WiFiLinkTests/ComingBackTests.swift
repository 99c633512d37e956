import DeviceInterface
import EventLoop
import Glibc
import HomeModel
import Hub
import JSON
import Log
import TestSupport
import Testing
import WiFiLink

@Suite("Wi-Fi: the radio comes back", .timeLimit(.minutes(1)))
struct ComingBackTests {
    @Loop
    private func link(_ radio: FakeRadio) -> WiFiLink {
        WiFiLink(radio.options(.networkManager), log: .discarding())
    }

    @Test("the journal is our user's alone and is there before the radio moves")
    @Loop
    func journal() async throws {
        let radio = try FakeRadio.networkManager()
        let link = link(radio)
        _ = try await link.join("SmartLife-3F2A")
        var status = stat()
        #expect(stat("\(radio.data)/wifi-journal.json", &status) == 0 && status.st_mode & 0o777 == 0o600)
        let journal = try JSON.parse(try #require(radio.text("data/wifi-journal.json")))
        #expect(journal["ssid"] == "SmartLife-3F2A" && journal["way"] == "networkmanager")
        #expect(journal["previous"] == "home-profile" && journal["joined"] == "192.168.175.23/24")
        try await link.leave()
    }

    @Test("without a place for the journal the radio does not move")
    @Loop
    func noJournal() async throws {
        let radio = try FakeRadio.networkManager()
        rmdir(radio.data)
        let link = link(radio)
        #expect(await failure { _ = try await link.join("SmartLife-3F2A") } == .internal)
        #expect(radio.text("active") == "home-profile\n" && !radio.calls.contains { $0.contains("connection add") })
        mkdir(radio.data, 0o700)
    }

    @Test("another session is refused as long as one has the radio; leaving for it does nothing")
    @Loop
    func busy() async throws {
        let radio = try FakeRadio.networkManager()
        let link = link(radio)
        _ = try await link.join("SmartLife-3F2A")
        let second = try #require(Sessions.second)
        let other = WiFiJoin(session: second, ssid: "SmartLife-3F2A")
        #expect(await failure { _ = try await link.join(other, prompt: Sessions.prompt) } == .deviceBusy)
        try await link.leave(for: second, prompt: Sessions.prompt)
        #expect(radio.text("active") != "home-profile\n")
        try await link.leave()
        #expect(radio.text("active") == "home-profile\n")
        _ = try await link.join(other, prompt: Sessions.prompt)
        try await link.leave(for: second, prompt: Sessions.prompt)
        #expect(radio.text("active") == "home-profile\n" && !radio.hasJournal)
    }

    @Test("joining while joined goes on to the other network, and home is still where it was before the first")
    @Loop
    func twice() async throws {
        let radio = try FakeRadio.networkManager()
        let link = link(radio)
        _ = try await link.join("SmartLife-3F2A")
        _ = try await link.join(FakeRadio.awkward, "12345678")
        _ = try await link.join("SmartLife-3F2A")
        try await link.leave()
        try await link.leave()
        #expect(radio.text("active") == "home-profile\n" && !radio.hasJournal)
        let left = try await Command.run("ls", [radio.folder.path]).split(separator: "\n").filter {
            $0.hasPrefix("profile-")
        }
        #expect(left == ["profile-home-profile"])
    }

    @Test("a way home that is blocked is told in words, tried on without being asked, and found by the preflight")
    @Loop
    func blocked() async throws {
        let radio = try FakeRadio.networkManager()
        let link = link(radio)
        _ = try await link.join("SmartLife-3F2A")
        try radio.write("Error: the home network is away", to: "up-fails")
        #expect(await failure { try await link.leave() } == .internal)
        let finding = await link.preflight().first { $0.check == "journal" }
        #expect(finding?.level == .failure && finding?.message.contains("the home network is away") == true)
        radio.remove("up-fails")
        while radio.hasJournal { try await Loop.sleep(for: .milliseconds(5)) }
        #expect(radio.text("active") == "home-profile\n")
        #expect(await link.preflight().first { $0.check == "journal" }?.level == .ok)
    }

    @Test("a gateway that stops brings the radio back")
    @Loop
    func stopped() async throws {
        let radio = try FakeRadio.networkManager()
        let link = link(radio)
        _ = try await link.join("SmartLife-3F2A")
        await link.stop()
        #expect(radio.text("active") == "home-profile\n" && !radio.hasJournal)
        #expect(await failure { _ = try await link.join("SmartLife-3F2A") } == .conflict)
    }

    @Test("recovery without a journal calls nobody")
    @Loop
    func nothing() async throws {
        let radio = try FakeRadio.networkManager()
        await link(radio).recover()
        #expect(radio.calls == [])
    }

    @Test("a journal that cannot be read is a failure to be seen, and blocks nothing else")
    @Loop
    func broken() async throws {
        let radio = try FakeRadio.networkManager()
        try radio.write("{\"way\":", to: "data/wifi-journal.json")
        let link = link(radio)
        await link.recover()
        #expect(await link.preflight().first { $0.check == "journal" }?.level == .failure)
        await link.stop()
    }

    @Test("a radio that was moved in a way that is not configured any more is told, and not forgotten")
    @Loop
    func otherWay() async throws {
        let radio = try FakeRadio.networkManager()
        let journal: JSON = ["version": 1, "way": "command", "ssid": "lamp", "session": "p-9"]
        try radio.write(journal.text, to: "data/wifi-journal.json")
        let link = link(radio)
        await link.recover()
        #expect(await link.preflight().first { $0.check == "journal" }?.level == .failure)
        #expect(radio.hasJournal)
        await link.stop()
    }

    @Test("auto takes the first way that works here")
    @Loop
    func auto() async throws {
        for (radio, way) in [
            (try FakeRadio.networkManager(), "networkmanager"), (try FakeRadio.supplicant(), "wpa_supplicant"),
        ] {
            var options = radio.options(.auto)
            options.searchPath = "\(radio.programs):/bin"
            let link = WiFiLink(options, log: .discarding())
            #expect(link.way == "auto")
            _ = try? await link.scan()
            // The machine of the test may have a wpa_cli or nmcli of its own, where no daemon runs.
            #expect(link.way == way)
        }
        let command = try FakeRadio.command()
        let link = WiFiLink(command.options(.auto, command: command.commandLine), log: .discarding())
        _ = try await link.scan()
        #expect(link.way == "command")
        let empty = try FakeRadio()
        var options = empty.options(.auto)
        options.searchPath = empty.programs
        let manual = WiFiLink(options, log: .discarding())
        #expect(await failure { _ = try await manual.scan() } == .capabilityMissing)
        #expect(manual.way == "manual")
        #expect(await manual.preflight().first { $0.check == "way" }?.level == .warning)
    }
}
