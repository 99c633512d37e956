import DeviceInterface
import EventLoop
import HomeModel
import Hub
import JSON
import Log
import Testing
import WiFiLink

/// On loopback, whose address never changes: what can be seen of a move on a real interface is tried end to end.
@Suite("Wi-Fi by hand", .timeLimit(.minutes(1)))
struct ManualTests {
    @Test("a person is asked to go and to come back, and asked again where nothing has changed")
    @Loop
    func asked() async throws {
        let radio = try FakeRadio()
        let link = WiFiLink(radio.options(.manual, interface: "lo"), log: .discarding())
        var forms: [InputForm] = []
        let prompt: WiFiPrompt = { form throws(CommandError) in
            forms.append(form)
            return JSONObject()
        }
        let session = try #require(Sessions.first)
        let place = try await link.join(WiFiJoin(session: session, ssid: "SmartLife-3F2A"), prompt: prompt)
        #expect(place.interface == "lo" && place.address.hasPrefix("127."))
        #expect(forms.count == 2 && forms[0].error == nil && forms[1].error?.hint != nil)
        #expect(forms[0].title.contains("SmartLife-3F2A") && forms[0].why?.contains("lo") == true)
        #expect(radio.hasJournal)
        try await link.leave(for: session, prompt: prompt)
        #expect(forms.count == 3 && forms[2].title.contains("home") && !radio.hasJournal)
    }

    @Test("an interface without an address never counts as joined; the session's end ends the questions")
    @Loop
    func unanswered() async throws {
        let radio = try FakeRadio()
        let link = WiFiLink(radio.options(.manual, interface: "nowhere0"), log: .discarding())
        var asked = 0
        let prompt: WiFiPrompt = { _ throws(CommandError) in
            asked += 1
            guard asked < 4 else { throw CommandError(.conflict, "The session was cancelled.") }
            return JSONObject()
        }
        let session = try #require(Sessions.first)
        let code = await failure { _ = try await link.join(WiFiJoin(session: session, ssid: "x"), prompt: prompt) }
        #expect(code == .conflict && asked == 4)
        // It never moved, so that there is nothing to come back from.
        #expect(!radio.hasJournal)
    }

    @Test("while a person is asked, the preflight and a scan answer at once")
    @Loop
    func meanwhile() async throws {
        let radio = try FakeRadio()
        let link = WiFiLink(radio.options(.manual, interface: "lo"), log: .discarding())
        var findings: [WiFiFinding] = []
        var scan: ErrorCode?
        let prompt: WiFiPrompt = { _ throws(CommandError) in
            findings = await link.preflight()
            scan = await failure { _ = try await link.scan() }
            return JSONObject()
        }
        let session = try #require(Sessions.first)
        _ = try await link.join(WiFiJoin(session: session, ssid: "x"), prompt: prompt)
        #expect(findings.map(\.check) == ["way", "radio", "home_link", "journal"])
        #expect(findings.last?.level == .warning && findings.last?.message.contains("p-1") == true)
        #expect(scan == .capabilityMissing)
        try await link.leave()
    }

    @Test("networks cannot be listed by hand")
    @Loop
    func scan() async throws {
        let radio = try FakeRadio()
        let link = WiFiLink(radio.options(.manual, interface: "lo"), log: .discarding())
        #expect(await failure { _ = try await link.scan() } == .capabilityMissing)
    }
}
