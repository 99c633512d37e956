import DeviceInterface
import EventLoop
import HomeModel
import Hub
import JSON
import MQTT
import MQTTBridge
import TestSupport
import Testing

@Loop
@Suite("The MQTT door, at a real broker", .timeLimit(.minutes(1)))
struct MQTTBridgeTests {
    @Test("everything is published before the gateway says online", arguments: [MQTTVersion.v5, .v311])
    func start(version: MQTTVersion) async throws {
        try await withBroker { broker in
            let house = try await BridgeHouse.online(broker, version: version)
            let published = house.messages.filter { !$0.topic.contains("/request/") && !$0.topic.hasSuffix("/health") }
            let topics = published.map(\.topic)
            for topic in [
                "lintel/bridge/info", "lintel/bridge/homes", "lintel/bridge/devices", "lintel/bridge/device/lamp-1",
                "lintel/device/lamp-1/state", "lintel/device/lamp-1/availability",
            ] {
                let position = try #require(topics.firstIndex(of: topic), "\(topic)")
                #expect(position < topics.count - 1)
            }
            #expect(topics.last == "lintel/bridge/state")
            #expect(published.allSatisfy { $0.retain && !$0.payload.isEmpty })
            #expect(Set(house.ledger.rows.keys).isSuperset(of: topics))
            await house.stop()
            await house.fact.until { house.messages.last?.text == "offline" || !house.watcher.state.isConnected }
            #expect(house.messages.last { $0.topic == "lintel/bridge/state" }?.text == "offline")
        }
    }

    @Test("a set is written, its state published and its answer given, with the transaction as it came")
    func set() async throws {
        try await withBroker { broker in
            let house = try await BridgeHouse.online(broker)
            house.publish("lintel/device/lamp-1/set", #"{"power":true,"transaction":1.50}"#)
            await house.writes(1)
            house.house.acknowledge()
            house.house.report(["power": true])
            let answer = await house.wait("lintel/device/lamp-1/response")
            #expect(answer?.json?["stage"] == "confirmed")
            #expect(answer?.text.contains("\"transaction\":1.50,") == true)
            #expect(answer?.properties.contentType == "application/json")
            #expect(answer?.properties.user("hub-id") == "00c0ffee")
            let state = await house.wait("lintel/device/lamp-1/state") { $0.json?["power"] == true }
            #expect(state?.json?["_meta"]?["source"] == "reported")
            await house.stop()
        }
    }

    @Test("the answer goes to the Response Topic with the Correlation Data unchanged")
    func responseTopic() async throws {
        try await withBroker { broker in
            let house = try await BridgeHouse.online(broker)
            let properties = MQTTProperties(responseTopic: "my/answers", correlationData: [0, 255, 7])
            house.publish("lintel/bridge/request/devices/list", "{}", properties: properties)
            let answer = await house.wait("my/answers")
            #expect(answer?.properties.correlationData == [0, 255, 7])
            #expect(answer?.json?["data"]?["total"] == 1)
            await house.stop()
        }
    }

    @Test(
        "a Response Topic that would command ourselves is refused, on the default topic",
        arguments: ["lintel/device/lamp-1/set", "lintel/bridge/request/info", "lintel/scene/x/activate"]
    )
    func dangerousResponseTopic(topic: String) async throws {
        try await withBroker { broker in
            let house = try await BridgeHouse.online(broker)
            house.publish(
                "lintel/device/lamp-1/set",
                #"{"power":true}"#,
                properties: MQTTProperties(responseTopic: topic)
            )
            let answer = await house.wait("lintel/device/lamp-1/response")
            #expect(answer?.json?["error"]?["code"] == "bad_request")
            #expect(house.house.adapter.writeCount == 0)
            await house.stop()
        }
    }

    @Test(
        "what cannot be carried out is answered with its code",
        arguments: [
            ("lintel/device/lamp-1/set", "{", "bad_json", "lintel/device/lamp-1/response"),
            ("lintel/device/lamp-1/set", "17", "bad_request", "lintel/device/lamp-1/response"),
            ("lintel/device/nobody/set", "{\"power\":true}", "device_not_found", "lintel/device/nobody/response"),
            ("lintel/device/LAMP/set", "{\"power\":true}", "device_not_found", "lintel/device/LAMP/response"),
            ("lintel/device/lamp-1/action/fly", "{}", "capability_missing", "lintel/device/lamp-1/response"),
            ("lintel/device/lamp-1/get", #"{"properties":["x"]}"#, "property_unknown", "lintel/device/lamp-1/response"),
            ("lintel/bridge/request/nope/x", "{}", "unknown_request", "lintel/bridge/response/nope/x"),
            ("lintel/bridge/request/device/get", "nobody", "device_not_found", "lintel/bridge/response/device/get"),
        ]
    )
    func errors(topic: String, payload: String, code: String, answerTopic: String) async throws {
        try await withBroker { broker in
            let house = try await BridgeHouse.online(broker)
            house.publish(topic, payload)
            let answer = await house.wait(answerTopic)
            #expect(answer?.json?["status"] == "error")
            #expect(answer?.json?["error"]?["code"]?.stringValue == code)
            await house.stop()
        }
    }

    @Test("a payload over the limit is refused, and one at the limit is read")
    func tooLarge() async throws {
        try await withBroker { broker in
            let house = try await BridgeHouse.online(broker)
            let padding = String(repeating: " ", count: (64 << 10) - 14)
            house.publish("lintel/device/lamp-1/set", "{\"power\":true}\(padding)")
            await house.writes(1)
            house.publish("lintel/device/lamp-1/set", "{\"power\":true}\(padding) ")
            let answer = await house.wait("lintel/device/lamp-1/response")
            #expect(answer?.json?["error"]?["code"] == "too_large")
            await house.stop()
        }
    }

    @Test("with MQTT 5 a live command with the retain flag is carried out once, and cleared at the broker")
    func retainedLive() async throws {
        try await withBroker { broker in
            let house = try await BridgeHouse.online(broker)
            house.publish("lintel/device/lamp-1/set", #"{"power":true}"#, retain: true)
            await house.writes(1)
            await house.wait("lintel/device/lamp-1/set") { $0.payload.isEmpty }
            #expect(await house.retained(at: broker)["lintel/device/lamp-1/set"] == nil)
            #expect(house.house.adapter.writeCount == 1)
            await house.stop()
        }
    }

    @Test("a retained command from before the start is not carried out", arguments: [MQTTVersion.v5, .v311])
    func retainedBefore(version: MQTTVersion) async throws {
        try await withBroker { broker in
            let house = await BridgeHouse.make(broker, version: version)
            house.publish("lintel/device/lamp-1/set", #"{"power":true}"#, retain: true)
            await house.wait("lintel/device/lamp-1/set")
            try await house.bridge.start()
            await house.wait("lintel/bridge/state", is: "online")
            if version == .v311 {
                let answer = await house.wait("lintel/device/lamp-1/response")
                #expect(answer?.json?["error"]?["code"] == "retained_command")
                await house.wait("lintel/device/lamp-1/set") { $0.payload.isEmpty }
            }
            house.publish("lintel/bridge/request/info", "{}")
            await house.wait("lintel/bridge/response/info")
            #expect(house.house.adapter.writeCount == 0)
            await house.stop()
        }
    }

    @Test("a removed device leaves nothing retained, at the broker and in the ledger")
    func removed() async throws {
        try await withBroker { broker in
            let house = try await BridgeHouse.online(broker)
            house.publish("lintel/bridge/request/device/remove", #"{"id":"lamp-1"}"#)
            await house.wait("lintel/bridge/response/device/remove")
            await house.wait("lintel/bridge/devices") { $0.json?["devices"] == [] }
            await house.wait("lintel/bridge/device/lamp-1") { $0.payload.isEmpty }
            let left = await house.retained(at: broker)
            #expect(!left.keys.contains { $0.contains("lamp-1") })
            #expect(Set(left.keys) == Set(house.ledger.rows.keys))
            await house.stop()
        }
    }

    @Test("topics of an earlier life are cleared at the start, and no others")
    func leftovers() async throws {
        try await withBroker { broker in
            let ledger = FakeLedger()
            ledger.rows = ["old/device/gone/state": "device/gone", "lintel/bridge/plugin/gone": "plugin/gone"]
            let house = await BridgeHouse.make(broker, ledger: ledger)
            for topic in ["old/device/gone/state", "lintel/bridge/plugin/gone", "lintel/device/foreign/state"] {
                house.publish(topic, "{}", retain: true)
                await house.wait(topic)
            }
            try await house.bridge.start()
            await house.wait("old/device/gone/state") { $0.payload.isEmpty }
            await house.wait("lintel/bridge/plugin/gone") { $0.payload.isEmpty }
            let left = await house.retained(at: broker)
            #expect(left["lintel/device/foreign/state"] == "{}")
            #expect(left["old/device/gone/state"] == nil)
            await house.stop()
        }
    }

    @Test("a second start clears nothing of what is still ours")
    func secondStart() async throws {
        try await withBroker { broker in
            let ledger = FakeLedger()
            let first = try await BridgeHouse.online(broker, ledger: ledger)
            await first.stop()
            let second = await BridgeHouse.make(broker, ledger: ledger)
            let before = second.messages.count
            try await second.bridge.start()
            await second.wait("lintel/bridge/state", is: "online")
            #expect(!second.messages.dropFirst(before).contains { $0.payload.isEmpty })
            await second.stop()
        }
    }

    @Test("after the broker lost its memory everything is published again")
    func brokerRestart() async throws {
        try await withBroker { broker in
            let house = try await BridgeHouse.online(broker)
            let before = await house.retained(at: broker)
            try await broker.restart()
            await house.fact.until {
                house.messages.count { $0.topic == "lintel/bridge/state" && $0.text == "online" } == 2
            }
            let after = await house.retained(at: broker)
            #expect(Set(after.keys) == Set(before.keys))
            house.publish("lintel/device/lamp-1/set", #"{"power":true}"#)
            await house.writes(1)
            await house.stop()
        }
    }

    @Test("a second gateway on the same base topic stands aside", arguments: [MQTTVersion.v5, .v311])
    func secondInstance(version: MQTTVersion) async throws {
        try await withBroker { broker in
            let first = try await BridgeHouse.online(broker, version: version)
            let second = await BridgeHouse.make(broker, version: version, installation: "deadbeef")
            let count = first.messages.count
            try await second.bridge.start()
            await first.wait("lintel/bridge/response/info") { $0.json?["data"]?["installation"] == "00c0ffee" }
            while second.bridge.isConnected { try await Loop.sleep(for: .milliseconds(5)) }
            #expect(!first.messages.dropFirst(count).contains { $0.topic == "lintel/bridge/state" })
            await second.stop()
            await first.stop()
        }
    }

    @Test("10,000 hostile payloads: each is answered with a code or does nothing, and the door stays open")
    func hostile() async throws {
        try await withBroker { broker in
            let house = try await BridgeHouse.online(broker)
            var random = SeededRandom(seed: 7)
            let seeds = [
                #"{"power":true,"brightness":12}"#, #"{"transaction":"x","color":{"h":1,"s":2}}"#,
                #"["a",{"b":[1e9,null]}]"#,
                #""text""#, "", "{\"power\":\u{1}}",
            ].map { Array($0.utf8) }
            let leaves = ["set", "get", "action/blink", "action/"]
            for _ in 0..<10_000 {
                var bytes = seeds.randomElement(using: &random) ?? []
                for _ in 0..<Int.random(in: 0...4, using: &random) {
                    let position = Int.random(in: 0...bytes.count, using: &random)
                    bytes.insert(UInt8.random(in: 0...255, using: &random), at: position)
                    if Bool.random(using: &random) { bytes.remove(at: Int.random(in: 0..<bytes.count, using: &random)) }
                }
                let leaf = leaves.randomElement(using: &random) ?? "set"
                house.watcher.publish(
                    MQTTMessage(topic: "lintel/device/lamp-1/\(leaf)", payload: bytes, qos: .atLeastOnce)
                )
                while let write = house.house.adapter.writes.popLast() {
                    write.reply(.success(WriteReceipt(stage: .confirmed)))
                }
                if house.watcher.outstanding > 200 { try await Loop.sleep(for: .milliseconds(1)) }
            }
            house.publish("lintel/bridge/request/info", #"{"transaction":"after"}"#)
            await house.wait("lintel/bridge/response/info") { $0.json?["transaction"] == "after" }
            let codes = Set(ErrorCode.allCases.map(\.rawValue))
            let given = Set(house.messages.compactMap { $0.json?["error"]?["code"]?.stringValue })
            #expect(given.isSubset(of: codes), "\(given)")
            #expect(given.isSuperset(of: ["bad_json", "bad_request", "property_unknown", "capability_missing"]))
            await house.stop()
        }
    }
}

/// A small generator with a seed, so that a failure can be repeated.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
