import EventLoop
import HomeModel
import Hub
import JSON
import MQTT
import MQTTBridge
import TestSupport
import Testing

@Loop
@Suite("Pairing over MQTT, at a real broker", .timeLimit(.minutes(1)))
struct PairingTests {
    @Test("a session is begun, followed, answered and cleared by messages alone", arguments: [MQTTVersion.v5, .v311])
    func wholeWay(version: MQTTVersion) async throws {
        try await withBroker { broker in
            var timing = Hub.Timing()
            timing.pairing.keep = .milliseconds(300)
            let house = try await BridgeHouse.online(broker, version: version, house: await FakeHouse(timing: timing))
            house.publish(
                "lintel/bridge/request/pairing/start",
                #"{"transaction":"w1","plugin":"vendor","method":"ap","wifi":{"ssid":"home","password":"canary-1"}}"#
            )
            let accepted = try #require(await house.wait("lintel/bridge/response/pairing/start")?.json)
            #expect(accepted["status"] == "accepted" && accepted["transaction"] == "w1")
            let text = try #require(accepted["data"]?["session"]?.stringValue)
            let session = try #require(PairingID(text))
            let topic = "lintel/bridge/pairing/\(text)"
            let running = await house.wait(topic) { $0.json?["state"] == "running" }
            #expect(running?.retain == true && running?.qos == .atLeastOnce)
            if version == .v5 {
                #expect((1...900).contains(try #require(running?.properties.expirySeconds)))
                #expect(running?.properties.contentType == "application/json")
            }
            #expect(running?.json?["deadline"]?.stringValue?.hasSuffix("Z") == true)
            #expect(house.ledger.rows[topic] == "pairing/\(text)")

            let desk = house.house.hub.desk(for: house.house.plugin)
            var progress = PairingProgress(session: session, state: .needsInput, step: "b", steps: ["a", "b", "c"])
            progress.needsInput = InputForm(
                title: "Code?",
                fields: [InputField("code", title: "Code", pattern: "[A-Z]{6}")]
            )
            desk.pairingProgressed(progress)
            let asking = await house.wait(topic) { $0.json?["state"] == "needs_input" }
            #expect(asking?.json?["needs_input"]?["format"] == "[A-Z]{6}")
            #expect(asking?.json?["index"] == 2 && asking?.json?["of"] == 3)
            house.publish("lintel/bridge/request/pairing/answer", #"{"session":"\#(text)","value":"ABCDEF"}"#)
            await house.house.adapter.fact.until { house.house.adapter.answers == [["code": "ABCDEF"]] }
            #expect(await house.retained(at: broker)[topic] != nil)

            progress = PairingProgress(session: session, state: .succeeded, step: "c", devices: [VendorID("Lamp.1")])
            desk.pairingProgressed(progress)
            let done = await house.wait(topic) { $0.json?["state"] == "succeeded" }
            #expect(done?.json?["device"] == "lamp-1")
            let event = await house.wait("lintel/bridge/event") { $0.json?["type"] == "pairing_succeeded" }
            #expect(event?.json?["data"]?["devices"] == ["lamp-1"] && event?.retain == false)
            await house.wait(topic) { $0.payload.isEmpty }
            #expect(await house.retained(at: broker)[topic] == nil)
            await house.stop()
        }
    }

    @Test("what a killed gateway left is replaced by its end, and sessions that had ended are cleared")
    func afterKill() async throws {
        try await withBroker { broker in
            let store = FakeStore()
            let plugin = try #require(PluginID("vendor"))
            let session = try #require(PairingID("p-1"))
            store.house.openPairings = [
                PairingRecord(session: session, plugin: plugin, method: "ap", startedAt: Timestamp(milliseconds: 0))
            ]
            let ledger = FakeLedger()
            for id in ["p-1", "p-2"] { ledger.rows["lintel/bridge/pairing/\(id)"] = "pairing/\(id)" }
            let fake = await FakeHouse(store: store)
            try await fake.hub.restore()
            let house = await BridgeHouse.make(broker, house: fake, ledger: ledger)
            house.publish("lintel/bridge/pairing/p-1", #"{"state":"running"}"#, retain: true)
            house.publish("lintel/bridge/pairing/p-2", #"{"state":"succeeded"}"#, retain: true)
            try await house.bridge.start()
            await house.wait("lintel/bridge/state", is: "online")
            let retained = await house.retained(at: broker)
            let left = try JSON.parse(try #require(retained["lintel/bridge/pairing/p-1"]))
            #expect(left["state"] == "failed" && left["error"]?["code"] == "interrupted")
            #expect(retained["lintel/bridge/pairing/p-2"] == nil)
            await house.stop()
        }
    }

    @Test("a session that a later gateway does not know is cleared at its start")
    func unknownLater() async throws {
        try await withBroker { broker in
            let ledger = FakeLedger()
            let first = try await BridgeHouse.online(broker, ledger: ledger)
            first.publish("lintel/bridge/request/pairing/start", #"{"plugin":"vendor"}"#)
            let answer = try #require(await first.wait("lintel/bridge/response/pairing/start")?.json)
            let topic = "lintel/bridge/pairing/\(try #require(answer["data"]?["session"]?.stringValue))"
            await first.wait(topic)
            await first.stop()
            let second = try await BridgeHouse.online(broker, ledger: ledger)
            #expect(await second.retained(at: broker)[topic] == nil)
            await second.stop()
        }
    }

    @Test("a plugin that repeats every secret everywhere publishes none of them")
    func secrets() async throws {
        try await withBroker { broker in
            let house = try await BridgeHouse.online(broker)
            house.house.hub.namedSecrets = Secrets(["wifi-home": "canary \"named\""])
            let canaries = ["canary \"named\"", "canary-token", "canary-code", "48151623"]
            let all = canaries.joined(separator: " ")
            house.publish(
                "lintel/bridge/request/pairing/start",
                #"{"plugin":"vendor","wifi":{"ssid":"home","secret_ref":"wifi-home"},"input":{"token":"canary-token"}}"#
            )
            let accepted = try #require(await house.wait("lintel/bridge/response/pairing/start")?.json)
            let text = try #require(accepted["data"]?["session"]?.stringValue)
            let session = try #require(PairingID(text))
            let topic = "lintel/bridge/pairing/\(text)"
            let desk = house.house.hub.desk(for: house.house.plugin)
            let form = InputForm(
                title: "Code?",
                fields: [
                    InputField("code", title: "Code", kind: .password),
                    InputField("pincode", title: "Pin", kind: .number),
                ]
            )
            desk.pairingProgressed(
                PairingProgress(session: session, state: .needsInput, step: "a", needsInput: form)
            )
            await house.wait(topic) { $0.json?["state"] == "needs_input" }
            // Refused, so that it is asked for again with the plugin's words.
            house.house.adapter.refusal = CommandError(
                .badRequest,
                all,
                hint: all,
                vendorCode: all,
                details: ["x": .string(all)]
            )
            house.publish(
                "lintel/bridge/request/pairing/answer",
                #"{"session":"\#(text)","input":{"code":"canary-code","pincode":48151623}}"#
            )
            await house.wait("lintel/bridge/response/pairing/answer") { $0.json?["status"] == "error" }
            await house.wait(topic) { $0.json?["needs_input"]?["error"] != .null && $0.json?["needs_input"] != .null }
            let failure = PairingFailure("x", all, hint: all, vendorCode: all, step: all, retryFrom: all)
            let echo = InputForm(
                title: all,
                why: all,
                fields: [
                    InputField(
                        "a",
                        title: all,
                        hint: all,
                        choices: canaries.map { InputField.Choice($0) },
                        fallback: .string(all)
                    )
                ],
                error: failure
            )
            let data: JSONObject = ["x": .string(all), "y": [.string(all), 48_151_623], "canary-token": true]
            let states: [PairingProgress.State] = [.running, .needsInput, .failed]
            for state in states {
                desk.pairingProgressed(
                    PairingProgress(
                        session: session,
                        state: state,
                        step: all,
                        steps: canaries,
                        message: all,
                        needsInput: state == .needsInput ? echo : nil,
                        failure: state == .failed ? failure : nil,
                        data: data
                    )
                )
            }
            await house.wait(topic) { $0.json?["state"] == "failed" }
            house.publish("lintel/bridge/request/pairing/status", #"{"session":"\#(text)"}"#)
            await house.wait("lintel/bridge/response/pairing/status")
            house.publish("lintel/bridge/request/pairing/history", "{}")
            await house.wait("lintel/bridge/response/pairing/history")

            let outgoing = house.messages.filter { !$0.topic.contains("/request/") }
            #expect(outgoing.contains { $0.text.contains("<redacted>") })
            for message in outgoing {
                for canary in canaries + [#"canary \"named\""#] {
                    #expect(!message.text.contains(canary), "\(message.topic): \(message.text)")
                }
            }
            for change in house.house.store.committed {
                var dumped = ""
                dump(change, to: &dumped)
                for canary in canaries { #expect(!dumped.contains(canary)) }
            }
            await house.stop()
        }
    }
}
