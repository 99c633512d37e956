import DeviceInterface
import EventLoop
import HomeModel
import Hub
import JSON
import Log
import TestSupport
import Testing

@Loop
@Suite("Pairing in the hub", .timeLimit(.minutes(1)))
struct PairingTests {
    @Test("a session goes from start to end: recorded, told, answered, and its device put in its place")
    func wholeWay() async throws {
        let house = await PairingHouse()
        _ = try await house.ask("home/add", ["name": "House"])
        _ = try await house.ask("home/add", ["name": "Shed"])
        _ = try await house.ask("room/add", ["name": "Kitchen", "home": "house"])
        let start: RequestPayload = .json([
            "plugin": "vendor", "method": "ap", "room": "kitchen", "name": "Stove lamp", "wifi": ["ssid": "home"],
        ])
        let answer = await house.house.request("pairing/start", start)
        guard case .accepted(let data) = answer, let session = data["session"]?.stringValue.flatMap({ PairingID($0) })
        else {
            Issue.record("\(answer)")
            return
        }
        #expect(session.text.hasPrefix("p-") && session.text.count == 10)
        let begun = try #require(house.adapter.starts.first)
        #expect(begun.session == session && begun.method == "ap" && begun.home?.text == "house" && begun.from == nil)
        #expect(begun.input == ["ssid": "home"])
        #expect(house.house.store.pairings.first?.state == "running")

        house.tell(session, .needsInput) { $0.needsInput = PairingHouse.form }
        #expect(house.status(session)?["needs_input"]?["field"] == "password")
        #expect(house.status(session)?["needs_input"]?["asked_by"] == "plugin")
        let answered = try await house.ask("pairing/answer", ["session": .string(session.text), "value": "canary-1"])
        #expect(answered == ["session": .string(session.text), "state": "running"])
        #expect(house.adapter.answers == [["password": "canary-1"]])

        house.desk.deviceDescribed(FakeHouse.lamp("New.9"), secrets: Secrets(["local_key": "x"]))
        house.tell(session, .succeeded) { $0.devices = [VendorID("New.9")] }
        let end = await house.wait(session, "succeeded")
        #expect(end?["device"] == "new-9" && end?["devices"] == ["new-9"])
        let device = try #require(house.house.hub.devices.first { $0.id.text == "new-9" })
        #expect(device.record.name == "Stove lamp")
        #expect(device.record.home?.text == "house" && device.record.room?.text == "kitchen")
        #expect(house.house.store.committed.contains(.putDevice(device.record)))
        let kept = try #require(house.house.store.pairings.first)
        #expect(kept.state == "succeeded" && kept.devices == [device.id] && kept.endedAt != nil)
        #expect(house.house.listener.lines.contains("happened pairing_succeeded"))
        #expect(try await house.ask("pairing/history")["sessions"]?[0]?["state"] == "succeeded")
        // The end is told when it is recorded, and the plugin that ended it is not told to cancel.
        #expect(house.adapter.cancelled.isEmpty)
    }

    @Test("a device that is paired again keeps id, name, room and options")
    func pairedAgain() async throws {
        let house = await PairingHouse()
        _ = try await house.ask("home/add", ["name": "House"])
        _ = try await house.ask("room/add", ["name": "Desk"])
        _ = try await house.ask("device/rename", ["id": "lamp-1", "name": "Mine"])
        _ = try await house.ask("device/move", ["id": "lamp-1", "room": "desk"])
        let before = try #require(house.house.hub.device(house.house.lamp)?.record)
        let session = try await house.begin()
        house.desk.deviceDescribed(FakeHouse.lamp("Lamp.1"), secrets: Secrets(["local_key": "new"]))
        house.tell(session, .succeeded) { $0.devices = [VendorID("Lamp.1")] }
        await house.wait(session, "succeeded")
        #expect(house.house.hub.device(house.house.lamp)?.record == before)
        #expect(house.house.hub.devices.count == 1)
    }

    @Test(
        "a device that could not be kept is written once more at the end, and no success without that",
        arguments: [true, false]
    )
    func notKept(isFreed: Bool) async throws {
        let house = await PairingHouse()
        let session = try await house.begin()
        house.house.store.failure = CommandError(.internal, "No space is left.", hint: "Free some space.")
        house.desk.deviceDescribed(FakeHouse.lamp("New.9"), secrets: Secrets(["local_key": "x"]))
        await house.house.hub.flush()
        if isFreed { house.house.store.failure = nil }
        house.tell(session, .succeeded) { $0.devices = [VendorID("New.9")] }
        let end = await house.wait(session, isFreed ? "succeeded" : "failed")
        let device = try #require(house.house.hub.devices.first { $0.id.text == "new-9" })
        let secrets = HouseChange.putSecrets(Secrets(["local_key": "x"]), device: device.id)
        #expect(house.house.store.committed.contains(.putDevice(device.record)) == isFreed)
        #expect(house.house.store.committed.contains(secrets) == isFreed)
        #expect((end?["error"]?["hint"] == "Free some space.") == !isFreed)
    }

    @Test("success with a device that was never described is a failure")
    func neverDescribed() async throws {
        let house = await PairingHouse()
        let session = try await house.begin()
        house.tell(session, .succeeded) { $0.devices = [VendorID("nobody")] }
        #expect(await house.wait(session, "failed")?["error"]?["code"] == "internal")
    }

    @Test("what cannot begin is refused with its code")
    func refusals() async throws {
        let house = await PairingHouse()
        _ = try await house.ask("home/add", ["name": "House"])
        _ = try await house.ask("home/add", ["name": "Shed"])
        _ = try await house.ask("room/add", ["name": "Kitchen", "home": "house"])
        let cases: [(JSONObject, ErrorCode)] = [
            ([:], .badRequest), (["plugin": "nobody"], .pluginNotFound),
            (["plugin": "vendor", "method": "x"], .capabilityMissing),
            (["plugin": "vendor", "home": "x"], .badRequest),
            (["plugin": "vendor", "home": "shed", "room": "kitchen"], .conflict),
            (["plugin": "vendor", "name": "\u{7}"], .badRequest),
            (["plugin": "vendor", "wifi": ["x": 1]], .badRequest),
            (["plugin": "vendor", "wifi": ["ssid": 1]], .badRequest),
            (["plugin": "vendor", "input": ["nope": 1]], .badRequest),
            (["plugin": "vendor", "wifi": ["secret_ref": "nope"]], .badRequest),
            (["plugin": "vendor", "input": ["password": ["secret_ref": "wifi-home", "x": 1]]], .badRequest),
        ]
        for (arguments, code) in cases {
            #expect(await house.refusal("pairing/start", arguments)?.code == code, "\(arguments)")
        }
        house.house.plugins.adapters = [:]
        #expect(await house.refusal("pairing/start", ["plugin": "vendor"])?.code == .pluginDown)
        for path in ["answer", "cancel", "retry", "status"] {
            #expect(await house.refusal("pairing/\(path)", ["session": "p-0"])?.code == .badRequest)
        }
        #expect(house.adapter.starts.isEmpty && house.house.store.pairings.isEmpty)
    }

    @Test("a session that the plugin refuses has failed, and the caller is told at once")
    func refusedByPlugin() async throws {
        let house = await PairingHouse()
        house.adapter.refusal = CommandError(.deviceBusy, "Not with canary-2.")
        let arguments: JSONObject = ["plugin": "vendor", "input": ["password": "canary-2"]]
        let error = try #require(await house.refusal("pairing/start", arguments))
        #expect(error.code == .deviceBusy && error.message == "Not with <redacted>.")
        let session = try #require(error.details["session"]?.stringValue.flatMap { PairingID($0) })
        #expect(await house.wait(session, "failed")?["error"]?["code"] == "device_busy")
        // It may have begun all the same.
        #expect(house.adapter.cancelled == [session])
    }

    @Test("an answer is checked before the plugin sees it, and one that it refuses is asked for again")
    func answers() async throws {
        let house = await PairingHouse()
        let session = try await house.begin()
        let id = JSON.string(session.text)
        #expect(await house.refusal("pairing/answer", ["session": id, "value": "x"])?.code == .badRequest)
        house.tell(session, .needsInput) { $0.needsInput = PairingHouse.form }
        for wrong: JSONObject in [[:], ["input": ["pass": "x"]], ["input": ["password": 1]], ["input": "x"]] {
            #expect(await house.refusal("pairing/answer", wrong.adding("session", id))?.code == .badRequest)
        }
        #expect(house.adapter.answers.isEmpty)
        house.adapter.refusal = CommandError(.badRequest, "canary-3 is too short.")
        let error = await house.refusal("pairing/answer", ["session": id, "value": "canary-3"])
        #expect(error?.message == "<redacted> is too short.")
        #expect(house.status(session)?["needs_input"]?["error"]?["message"] == "<redacted> is too short.")
        house.adapter.refusal = nil
        _ = try await house.ask("pairing/answer", ["session": id, "input": ["password": ["secret_ref": "wifi-home"]]])
        #expect(house.adapter.answers.last == ["password": "named-canary"])
    }

    @Test("cancelling tells the plugin, and the answer comes when the session has ended")
    func cancel() async throws {
        let house = await PairingHouse()
        let session = try await house.begin()
        house.tell(session)
        let answer = try await house.ask("pairing/cancel", ["session": .string(session.text)])
        #expect(answer["state"] == "cancelled")
        #expect(house.adapter.cancelled == [session])
        #expect(house.house.store.pairings.first?.state == "cancelled")
        #expect(!house.house.listener.lines.contains { $0.hasPrefix("happened pairing") })
        // What the plugin says later changes nothing.
        house.tell(session, .succeeded)
        #expect(house.status(session)?["state"] == "cancelled")
    }

    @Test("a plugin that ends takes its sessions with it, and nobody else's")
    func pluginDown() async throws {
        let house = await PairingHouse()
        let session = try await house.begin()
        house.tell(session) { $0.step = "send" }
        let other = try #require(PluginID("other"))
        house.house.hub.desk(for: other).wentDown()
        house.house.hub.desk(for: other).pairingProgressed(
            PairingProgress(session: session, state: .failed, step: "find")
        )
        #expect(house.status(session)?["state"] == "running")
        house.desk.wentDown()
        let end = await house.wait(session, "failed")
        #expect(end?["error"]?["code"] == "plugin_down")
        #expect(end?["error"]?["retry_from"] == "find" && end?["error"]?["step"] == "send")
        #expect(end?["error"]?["hint"] != nil)
        #expect(house.house.listener.lines.contains("happened pairing_failed"))
    }

    @Test("a session that is silent for too long expires, and the plugin is told to let go")
    func expiry() async throws {
        let house = await PairingHouse { $0.silence = .milliseconds(20) }
        let session = try await house.begin()
        let end = await house.wait(session, "expired")
        #expect(end?["error"]?["code"] == "timeout")
        #expect(house.adapter.cancelled == [session])
        #expect(end?["deadline"] == nil)
    }

    @Test("an open session is told again before what was published of it expires")
    func refresh() async throws {
        let house = await PairingHouse { $0.refresh = .milliseconds(10) }
        let session = try await house.begin()
        await house.house.listener.fact.until {
            house.house.listener.lines.count { $0.hasPrefix("pairing ") && $0.contains(session.text) } > 4
        }
        #expect(house.status(session)?["state"] == "running")
    }

    @Test("a session that has ended is forgotten after a while, with what it was given")
    func forgotten() async throws {
        let house = await PairingHouse { $0.keep = .milliseconds(20) }
        let session = try await house.begin()
        _ = try await house.ask("pairing/cancel", ["session": .string(session.text)])
        await house.house.listener.fact.until { house.house.listener.lines.contains("forgotten \(session)") }
        #expect(house.house.hub.pairingSessions.isEmpty)
        #expect(await house.refusal("pairing/retry", ["session": .string(session.text)])?.code == .badRequest)
    }

    @Test("only so many sessions may be open at once")
    func tooMany() async throws {
        let house = await PairingHouse()
        for _ in 0..<16 { _ = try await house.begin() }
        #expect(await house.refusal("pairing/start", ["plugin": "vendor"])?.code == .rateLimited)
        #expect(try await house.ask("pairing/status")["sessions"]?.arrayValue?.count == 16)
        await house.house.hub.stopPairing()
        #expect(try await house.ask("pairing/status")["sessions"]?[15]?["error"]?["code"] == "interrupted")
        #expect(house.adapter.cancelled.count == 16)
    }

    @Test("beginning and end are in the log, and nothing that the session was given, not even in a plugin's own lines")
    func log() async throws {
        let sink = RingSink(capacity: 100)
        let house = await PairingHouse(log: Log("hub", levels: LogLevels(.trace), sink: sink))
        let session = try await house.begin(["input": ["password": "canary-4"]])
        house.desk.log(AdapterLogRecord(level: "info", message: "sent canary-4", metadata: ["to": "canary-4"]))
        _ = try await house.ask("pairing/cancel", ["session": .string(session.text)])
        let lines = sink.records.map { "\($0.message) \(JSON.object($0.metadata.json).text)" }
        #expect(lines.contains { $0.hasPrefix("sent <redacted>") })
        #expect(lines.contains { $0.hasPrefix("pairing begins") && $0.contains(session.text) })
        #expect(lines.contains { $0.hasPrefix("pairing ended") && $0.contains("cancelled") })
        #expect(!lines.contains { $0.contains("canary") })
    }

    @Test("methods are listed with their forms")
    func methods() async throws {
        let house = await PairingHouse()
        let list = try await house.ask("pairing/methods", ["plugin": "vendor"])
        #expect(list["plugins"]?[0]?["methods"]?[0]?["id"] == "ap")
        let properties = list["plugins"]?[0]?["methods"]?[0]?["form"]?["schema"]?["properties"]
        #expect(properties?["password"]?["format"] == "password")
        #expect(await house.refusal("pairing/methods", ["plugin": "x"])?.code == .pluginNotFound)
    }
}
