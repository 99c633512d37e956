import DeviceInterface
import EventLoop
import HomeModel
import Hub
import JSON
import TestSupport
import Testing

@Loop
@Suite("Trying a pairing again", .timeLimit(.minutes(1)))
struct PairingRetryTests {
    @Test("it begins at the step that the failure names, with what was given and answered before")
    func fromStep() async throws {
        let house = await PairingHouse()
        let first = try await house.begin(["input": ["ssid": "home", "token": "canary-token"], "name": "Lamp"])
        house.tell(first, .needsInput) { $0.needsInput = PairingHouse.form }
        _ = try await house.ask("pairing/answer", ["session": .string(first.text), "value": "canary-wrong"])
        #expect(await house.refusal("pairing/retry", ["session": .string(first.text)])?.code == .conflict)
        house.tell(first, .failed) {
            $0.failure = PairingFailure(.wrongPassword, "Wrong.", vendorCode: "207212", retryFrom: "send")
        }
        await house.wait(first, "failed")
        let data = try await house.ask(
            "pairing/retry",
            ["session": .string(first.text), "input": ["password": "canary-right"]]
        )
        let second = try #require(data["session"]?.stringValue.flatMap { PairingID($0) })
        let start = try #require(house.adapter.starts.last)
        #expect(start.session == second && second != first && start.from == "send" && start.method == "ap")
        #expect(start.input == ["ssid": "home", "token": "canary-token", "password": "canary-right"])
        #expect(house.status(second)?["retry_of"]?.stringValue == first.text)
        // What the first was given is still kept out of what the plugin says.
        house.tell(second) { $0.message = "canary-wrong canary-right canary-token" }
        #expect(house.status(second)?["message"] == "<redacted> <redacted> <redacted>")
    }

    @Test("a refused retry leaves the session to be tried again, and success leaves nothing to retry")
    func refused() async throws {
        let house = await PairingHouse()
        let first = try await house.begin(["input": ["password": "canary-1"]])
        house.tell(first, .failed)
        await house.wait(first, "failed")
        house.house.plugins.adapters = [:]
        #expect(await house.refusal("pairing/retry", ["session": .string(first.text)])?.code == .pluginDown)
        house.house.plugins.adapters[house.house.plugin] = house.adapter
        let data = try await house.ask("pairing/retry", ["session": .string(first.text)])
        #expect(house.adapter.starts.last?.input == ["password": "canary-1"])
        let second = try #require(data["session"]?.stringValue.flatMap { PairingID($0) })
        house.tell(second, .succeeded)
        await house.wait(second, "succeeded")
        #expect(await house.refusal("pairing/retry", ["session": .string(second.text)])?.code == .conflict)
    }

    @Test("a session is tried again once at a time: a second click finds the first one's session")
    func twice() async throws {
        let house = await PairingHouse()
        let first = try await house.begin(["input": ["password": "canary-1"]])
        house.tell(first, .failed)
        await house.wait(first, "failed")
        let arguments: JSONObject = ["session": .string(first.text)]
        // Both at once, and one later.
        let both = (0..<2).map { _ in
            Task { @Loop in await house.house.request("pairing/retry", .json(.object(arguments))) }
        }
        var sessions: [PairingID] = []
        for task in both {
            if case .accepted(let data) = await task.value {
                sessions += [data["session"]?.stringValue.flatMap { PairingID($0) }].compactMap(\.self)
            }
        }
        let second = try #require(sessions.first)
        #expect(sessions.count == 1)
        let refusal = await house.refusal("pairing/retry", arguments)
        #expect(refusal?.code == .conflict && refusal?.details["session"]?.stringValue == second.text)
        // One that the plugin refused stands in nobody's way.
        house.tell(second, .failed)
        await house.wait(second, "failed")
        house.adapter.refusal = CommandError(.deviceBusy, "Not now.")
        let again: JSONObject = ["session": .string(second.text)]
        #expect(await house.refusal("pairing/retry", again)?.code == .deviceBusy)
        house.adapter.refusal = nil
        _ = try await house.ask("pairing/retry", again)
        #expect(house.adapter.starts.last?.input == ["password": "canary-1"])
    }

    @Test("a session that is cancelled before the plugin knows of it is cancelled there as well")
    func cancelledEarly() async throws {
        let house = await PairingHouse()
        let starting = Task { @Loop in await house.house.request("pairing/start", .json(["plugin": "vendor"])) }
        await house.house.listener.fact.until {
            if !house.house.hub.pairingSessions.isEmpty { return true }
            return false
        }
        let session = try #require(house.house.hub.pairingSessions.first?.id)
        _ = try await house.ask("pairing/cancel", ["session": .string(session.text)])
        _ = await starting.value
        #expect(house.status(session)?["state"] == "cancelled")
        #expect(house.adapter.starts.count <= house.adapter.cancelled.count)
    }

    @Test("a session that was open when the gateway was killed has failed, is told of, and can be begun again")
    func afterKill() async throws {
        let store = FakeStore()
        let session = try #require(PairingID("p-0a0b0c0d"))
        let plugin = try #require(PluginID("vendor"))
        store.house.pluginSecrets = [plugin: Secrets(["account": "sealed"])]
        store.house.openPairings = [
            PairingRecord(
                session: session,
                plugin: plugin,
                method: "ap",
                name: "Lamp",
                startedAt: Timestamp(milliseconds: 5),
                step: "send",
                failure: PairingFailure(.interrupted, "Ended.", hint: "Again.", step: "send", retryFrom: "find")
            )
        ]
        let house = await FakeHouse(store: store)
        try await house.hub.restore()
        await house.hub.flush()
        let payload = try #require(house.hub.pairingSessions.first?.payload)
        #expect(payload["session"]?.stringValue == session.text && payload["state"] == "failed")
        #expect(payload["error"]?["code"] == "interrupted" && payload["error"]?["retry_from"] == "find")
        let kept = try #require(store.pairings.first)
        #expect(kept.state == "failed" && kept.endedAt != nil && kept.failure?.code == .interrupted)
        #expect(house.hub.secrets(of: plugin) == Secrets(["account": "sealed"]))
        guard case .accepted = await house.request("pairing/retry", .text(session.text)) else {
            Issue.record("not begun again")
            return
        }
        #expect(house.adapter.starts.first?.from == "find")
    }

    @Test("the record of an open session says what it is after a kill, and follows its steps")
    func openRecord() async throws {
        let house = await PairingHouse()
        let session = try await house.begin()
        house.tell(session) { $0.step = "send" }
        await house.house.hub.flush()
        let kept = try #require(house.house.store.pairings.first)
        #expect(kept.step == "send" && kept.endedAt == nil && kept.state == "running")
        #expect(kept.failure?.code == .interrupted && kept.failure?.retryFrom == "find")
        #expect(kept.json["error"] == nil)
    }
}
