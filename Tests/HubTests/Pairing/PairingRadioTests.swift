import DeviceInterface
import EventLoop
import HomeModel
import Hub
import JSON
import TestSupport
import Testing

@Loop
@Suite("The radio in a pairing", .timeLimit(.minutes(1)))
struct PairingRadioTests {
    @Test("a session joins, leaves, and others wait for it")
    func lease() async throws {
        let house = await PairingHouse()
        let (one, two) = (try await house.begin(), try await house.begin())
        #expect(try await house.join(one).value.get().interface == "wlan9")
        let busy = try #require(await house.join(two).value.failure)
        #expect(busy.code == .deviceBusy && busy.details["session"]?.stringValue == one.text)
        await #expect(throws: CommandError.self) { try await house.desk.scanWiFi(for: two) }
        #expect(await house.refusal("wifi/scan")?.code == .deviceBusy)
        #expect(try await house.ask("wifi/status")["session"]?.stringValue == one.text)
        #expect(try await house.desk.scanWiFi(for: one).count == 1)
        try await house.desk.leaveWiFi(for: two)
        #expect(house.wifi.joined != nil)
        try await house.desk.leaveWiFi(for: one)
        try await house.desk.leaveWiFi(for: one)
        #expect(house.wifi.moves == ["join SmartLife-1A2B", "leave"])
        #expect(try await house.join(two).value.get().prefix == 24)
        #expect(try await house.ask("wifi/status")["way"] == "manual")
    }

    enum Ending: CaseIterable { case success, failure, cancel, expiry, pluginDown, stop }

    @Test("it comes home whatever ends the session, and the end is told after that", arguments: Ending.allCases)
    func comesHome(_ ending: Ending) async throws {
        let house = await PairingHouse { if ending == .expiry { $0.silence = .seconds(2) } }
        let session = try await house.begin()
        _ = try await house.join(session).value.get()
        let states: String
        switch ending {
        case .success:
            house.tell(session, .succeeded)
            states = "succeeded"
        case .failure:
            house.tell(session, .failed)
            states = "failed"
        case .cancel:
            _ = try await house.ask("pairing/cancel", ["session": .string(session.text)])
            states = "cancelled"
        case .expiry: states = "expired"
        case .pluginDown:
            house.desk.wentDown()
            states = "failed"
        case .stop:
            await house.house.hub.stopPairing()
            states = "failed"
        }
        #expect(house.status(session)?["state"]?.stringValue != states || house.wifi.joined == nil)
        await house.wait(session, states)
        #expect(house.wifi.joined == nil)
        #expect(house.wifi.moves == ["join SmartLife-1A2B", "leave"])
        #expect(try await house.ask("wifi/status")["session"] == .null)
    }

    @Test("a session that has ended, or is another plugin's, cannot move it")
    func strangers() async throws {
        let house = await PairingHouse()
        let session = try await house.begin()
        let other = house.house.hub.desk(for: try #require(PluginID("other")))
        await #expect(throws: CommandError.self) {
            try await other.joinWiFi(WiFiJoin(session: session, ssid: "x"))
        }
        _ = try await house.ask("pairing/cancel", ["session": .string(session.text)])
        #expect(await house.join(session).value.failure?.code == .badRequest)
        #expect(house.wifi.moves.isEmpty)
    }

    @Test("by hand: a person is asked in the session, and the answer goes to the radio, not to the plugin")
    func byHand() async throws {
        let house = await PairingHouse()
        house.wifi.question = PairingHouse.radioForm
        let session = try await house.begin()
        let join = house.join(session)
        let asked = await house.wait(session, "needs_input")
        #expect(asked?["needs_input"]?["asked_by"] == "radio" && asked?["needs_input"]?["field"] == "done")
        // What the plugin asks meanwhile waits behind it.
        house.tell(session, .needsInput) { $0.needsInput = PairingHouse.form }
        #expect(house.status(session)?["needs_input"]?["asked_by"] == "radio")
        _ = try await house.ask("pairing/answer", ["session": .string(session.text), "input": ["done": true]])
        #expect(try await join.value.get().prefix == 24)
        #expect(house.adapter.answers.isEmpty && house.wifi.answers == [#"{"done":true}"#])
        #expect(house.status(session)?["needs_input"]?["asked_by"] == "plugin")
        // The way home is by hand, too.
        let cancel = Task { @Loop in try await house.ask("pairing/cancel", ["session": .string(session.text)]) }
        await house.wait(session, "needs_input")
        await house.wifi.fact.until { house.wifi.moves.last == "leave" }
        await house.house.listener.fact.until { house.status(session)?["needs_input"]?["asked_by"] == "radio" }
        #expect(house.status(session)?["state"] == "needs_input")
        _ = try await house.ask("pairing/answer", ["session": .string(session.text), "value": true])
        #expect(try await cancel.value["state"] == "cancelled")
        #expect(house.wifi.joined == nil)
    }

    @Test("cancelling while a person is asked for the radio ends the join, and then brings it home")
    func cancelWhileAsking() async throws {
        let house = await PairingHouse()
        house.wifi.question = PairingHouse.radioForm
        let session = try await house.begin()
        let join = house.join(session)
        await house.wait(session, "needs_input")
        let answer = try await house.ask("pairing/cancel", ["session": .string(session.text)])
        #expect(answer["state"] == "cancelled")
        #expect(await join.value.failure != nil)
        #expect(house.wifi.moves == ["join SmartLife-1A2B", "leave"])
        #expect(house.wifi.answers.isEmpty && house.wifi.joined == nil)
    }

    @Test("nobody brings it home by hand: the session ends all the same")
    func nobodyComesHome() async throws {
        let house = await PairingHouse { $0.closing = .milliseconds(50) }
        let session = try await house.begin()
        _ = try await house.join(session).value.get()
        house.wifi.question = PairingHouse.radioForm
        house.tell(session, .failed)
        #expect(await house.wait(session, "failed")?["needs_input"] == .null)
        // The way home has been given up, not left hanging.
        await house.wifi.fact.until { house.wifi.moves.last == "leave" }
        let next = try await house.begin()
        house.wifi.question = nil
        _ = try await house.join(next).value.get()
    }

    @Test("a failed join leaves the radio with the session until it ends")
    func failedJoin() async throws {
        let house = await PairingHouse()
        house.wifi.failure = CommandError(.authFailed, "Wrong.")
        let session = try await house.begin()
        #expect(await house.join(session).value.failure?.code == .authFailed)
        house.wifi.failure = nil
        _ = try await house.join(session).value.get()
        _ = try await house.ask("pairing/cancel", ["session": .string(session.text)])
        #expect(house.wifi.moves == ["join SmartLife-1A2B", "join SmartLife-1A2B", "leave"])
    }

    @Test("a network that goes away is told to the plugin while its session is open")
    func lost() async throws {
        let house = await PairingHouse()
        let session = try await house.begin()
        _ = try await house.join(session).value.get()
        house.wifi.onLost?(session, "SmartLife-1A2B")
        #expect(house.adapter.lost == ["SmartLife-1A2B"])
        _ = try await house.ask("pairing/cancel", ["session": .string(session.text)])
        house.wifi.onLost?(session, "SmartLife-1A2B")
        #expect(house.adapter.lost.count == 1)
    }

    @Test("without a radio everything about it is refused, and the status says so")
    func none() async throws {
        let house = await PairingHouse()
        house.house.hub.wifi = nil
        let session = try await house.begin()
        #expect(await house.join(session).value.failure?.code == .capabilityMissing)
        #expect(await house.refusal("wifi/scan")?.code == .capabilityMissing)
        #expect(try await house.ask("wifi/status")["way"] == "off")
    }
}
