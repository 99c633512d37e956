import EventLoop
import MQTT
import TestSupport
import Testing

@Suite("MQTTClient", .timeLimit(.minutes(2)))
struct MQTTClientTests {
    @Test("both versions connect, publish and receive", arguments: [MQTTVersion.v5, .v311])
    @Loop func roundTrip(version: MQTTVersion) async throws {
        try await withBroker { broker in
            let probe = Probe(broker) { $0.versions = .only(version) }
            #expect(await probe.connected()?.version == version)
            #expect(probe.states.first == .connecting(version))
            for qos in [MQTTQoS.atMostOnce, .atLeastOnce, .exactlyOnce] {
                let codes = try await probe.subscribed(MQTTSubscription("t/\(qos.rawValue)", qos: qos))
                #expect(codes.map(\.grantedQoS) == [qos])
                try await probe.published(MQTTMessage(topic: "t/\(qos.rawValue)", payload: [0, 255, 10], qos: qos))
            }
            let messages = await probe.received(3)
            #expect(messages.map(\.topic) == ["t/0", "t/1", "t/2"])
            #expect(messages.allSatisfy { $0.payload == [0, 255, 10] && !$0.retain })
            #expect(messages.map(\.qos) == [.atMostOnce, .atLeastOnce, .exactlyOnce])
            await probe.client.stop()
            #expect(probe.client.state == .stopped)
        }
    }

    @Test("all properties travel unchanged, binary ones too")
    @Loop func properties() async throws {
        try await withBroker { broker in
            let probe = Probe(broker)
            await probe.connected()
            _ = try await probe.subscribed(MQTTSubscription("p"))
            let properties = MQTTProperties(
                contentType: "application/json",
                isText: true,
                expirySeconds: 60,
                responseTopic: "answers/here",
                correlationData: [0, 1, 0, 255],
                userProperties: [.init(name: "source", value: "tést"), .init(name: "source", value: "")]
            )
            let all = MQTTMessage(topic: "p", payload: Array("{}".utf8), qos: .atLeastOnce, properties: properties)
            let few = MQTTMessage(topic: "p", payload: [], qos: .atLeastOnce, properties: .json)
            for message in [all, few, few] { try await probe.published(message) }
            #expect(await probe.received(3) == [all, few, few])
            #expect(all.properties.user("source") == "tést")
        }
    }

    @Test("properties are left out of 3.1.1")
    @Loop func propertiesInOldVersion() async throws {
        try await withBroker { broker in
            let probe = Probe(broker) { $0.versions = .only(.v311) }
            await probe.connected()
            _ = try await probe.subscribed(MQTTSubscription("p", noLocal: true, retained: .ignore))
            try await probe.published(MQTTMessage(topic: "p", payload: [1], qos: .atLeastOnce, properties: .json))
            #expect(await probe.received(1).first?.properties.isEmpty == true)
        }
    }

    @Test("a message that nobody receives is acknowledged with 16")
    @Loop func noSubscriber() async throws {
        try await withBroker { broker in
            let probe = Probe(broker)
            await probe.connected()
            let ack = try await probe.published(MQTTMessage(topic: "void", payload: [], qos: .atLeastOnce))
            #expect(ack.reasonCode == 16)
        }
    }

    @Test("the will is published for a client that goes without a word, not for one that stops")
    @Loop func will() async throws {
        try await withBroker { broker in
            let watcher = Probe(broker)
            await watcher.connected()
            _ = try await watcher.subscribed(MQTTSubscription("will/#"))
            for (name, stops) in [("polite", true), ("rude", false)] {
                var probe: Probe? = Probe(broker) {
                    $0.will = MQTTWill(
                        MQTTMessage(topic: "will/\(name)", payload: Array("offline".utf8), qos: .atLeastOnce)
                    )
                }
                await probe?.connected()
                if stops { await probe?.client.stop() }
                probe = nil
            }
            #expect(await watcher.received(1).map(\.topic) == ["will/rude"])
            #expect(watcher.messages.first?.text == "offline")
        }
    }

    @Test("retained messages come on subscribing, live ones keep the flag only if asked for")
    @Loop func retained() async throws {
        try await withBroker { broker in
            let probe = Probe(broker)
            await probe.connected()
            try await probe.published(MQTTMessage(topic: "r/kept", payload: [1], qos: .atLeastOnce, retain: true))
            _ = try await probe.subscribed(MQTTSubscription("r/#"))
            #expect(await probe.received(1).map(\.retain) == [true])
            try await probe.published(MQTTMessage(topic: "r/live", payload: [2], qos: .atLeastOnce, retain: true))
            #expect(await probe.received(2).map(\.retain) == [true, false])

            let other = Probe(broker)
            await other.connected()
            _ = try await other.subscribed(MQTTSubscription("r/#", retainAsPublished: true, retained: .ignore))
            try await probe.published(MQTTMessage(topic: "r/live", payload: [3], qos: .atLeastOnce, retain: true))
            #expect(await other.received(1).map(\.payload) == [[3]])
            #expect(other.messages.first?.retain == true)
        }
    }

    @Test("our own messages stay away with No Local")
    @Loop func noLocal() async throws {
        try await withBroker { broker in
            let probe = Probe(broker)
            let other = Probe(broker)
            await probe.connected()
            await other.connected()
            _ = try await probe.subscribed(MQTTSubscription("n", noLocal: true))
            try await probe.published(MQTTMessage(topic: "n", payload: [1], qos: .atLeastOnce))
            try await other.published(MQTTMessage(topic: "n", payload: [2], qos: .atLeastOnce))
            #expect(await probe.received(1).map(\.payload) == [[2]])
        }
    }

    @Test("a message above the broker's limit is refused before it is sent, and the connection stays")
    @Loop func tooLarge() async throws {
        var configuration = MosquittoBroker.Configuration()
        configuration.lines = ["max_packet_size 1000"]
        try await withBroker(configuration) { broker in
            let probe = Probe(broker)
            #expect(await probe.connected()?.maximumPacketSize == 1_000)
            for qos in [MQTTQoS.atMostOnce, .atLeastOnce] {
                let large = MQTTMessage(topic: "t", payload: [UInt8](repeating: 0, count: 1_000), qos: qos)
                await #expect(throws: MQTTError.tooLarge) { try await probe.published(large) }
            }
            try await probe.published(MQTTMessage(topic: "t", payload: [1], qos: .atLeastOnce))
            #expect(probe.connects == 1)
        }
    }

    @Test("the broker keeps back what is above our own limit")
    @Loop func ownLimit() async throws {
        try await withBroker { broker in
            let probe = Probe(broker) { $0.maximumPacketSize = 1_000 }
            let sender = Probe(broker)
            await probe.connected()
            await sender.connected()
            _ = try await probe.subscribed(MQTTSubscription("t"))
            for size in [2_000, 10] {
                let payload = [UInt8](repeating: 7, count: size)
                try await sender.published(MQTTMessage(topic: "t", payload: payload, qos: .atLeastOnce))
            }
            #expect(await probe.received(1).map(\.payload.count) == [10])
        }
    }

    @Test("what MQTT does not allow fails with a reason and harms nothing")
    @Loop func invalid() async throws {
        try await withBroker { broker in
            let probe = Probe(broker)
            await probe.connected()
            let long = MQTTProperties(contentType: String(repeating: "x", count: 70_000))
            let messages = [
                MQTTMessage(topic: "a/+", payload: []), MQTTMessage(topic: "", payload: []),
                MQTTMessage(topic: "a\0b", payload: []), MQTTMessage(topic: "a", payload: [], properties: long),
            ]
            for message in messages {
                let error = await #expect(throws: MQTTError.self) { try await probe.published(message) }
                guard case .invalid? = error else {
                    Issue.record("\(String(describing: error)) for \(message.topic)")
                    continue
                }
            }
            let filters = ["a/#/b", "fine", "", "a\0b"].map { MQTTSubscription($0) }
            let codes = try await probe.subscribed(filters[0], filters[1], filters[2], filters[3])
            #expect(codes.map(\.isRefusal) == [true, false, true, true])
            try await probe.published(MQTTMessage(topic: "fine", payload: [], qos: .atLeastOnce))
            #expect(probe.connects == 1)
        }
    }

    @Test("without a connection a message fails at once")
    @Loop func notConnected() async throws {
        let probe = Probe(MQTTOptions(host: "127.0.0.1", port: 1, clientID: "nobody"))
        await #expect(throws: MQTTError.notConnected) {
            try await probe.published(MQTTMessage(topic: "t", payload: []))
        }
    }

    @Test("more than the limit does not wait")
    @Loop func queueFull() async throws {
        try await withBroker { broker in
            let probe = Probe(broker) { $0.maximumOutstanding = 10 }
            await probe.connected()
            var failures = 0
            for _ in 0..<30 {
                probe.client.publish(MQTTMessage(topic: "t", payload: [1], qos: .atLeastOnce)) { result in
                    if result == .failure(.queueFull(outstanding: 10)) { failures += 1 }
                }
            }
            #expect(probe.client.outstanding == 10)
            probe.client.onDrain = { probe.fact.changed() }
            await probe.fact.until { probe.client.outstanding == 0 }
            #expect(failures == 20)
            probe.client.onDrain = nil
        }
    }

    @Test("a thousand messages of each QoS arrive in order")
    @Loop func many() async throws {
        try await withBroker { broker in
            let (sender, receiver) = (Probe(broker), Probe(broker))
            await sender.connected()
            await receiver.connected()
            for qos in [MQTTQoS.atMostOnce, .atLeastOnce] {
                let topic = "m/\(qos.rawValue)"
                _ = try await receiver.subscribed(MQTTSubscription(topic, qos: qos))
                let before = receiver.messages.count
                for number in 0..<1_000 {
                    sender.client.publish(MQTTMessage(topic: topic, payload: Array("\(number)".utf8), qos: qos))
                }
                let messages = await receiver.received(before + 1_000).dropFirst(before)
                #expect(messages.map(\.text) == (0..<1_000).map { "\($0)" })
            }
        }
    }

    @Test("stopping first sends what waits")
    @Loop func flush() async throws {
        try await withBroker { broker in
            let (sender, receiver) = (Probe(broker), Probe(broker))
            await sender.connected()
            await receiver.connected()
            _ = try await receiver.subscribed(MQTTSubscription("f"))
            var acknowledged = 0
            for number in 0..<500 {
                let message = MQTTMessage(topic: "f", payload: Array("\(number)".utf8), qos: .atLeastOnce)
                sender.client.publish(message) { if case .success = $0 { acknowledged += 1 } }
            }
            await sender.client.stop()
            #expect(acknowledged == 500)
            #expect(await receiver.received(500).count == 500)
        }
    }

    @Test("a password prints as redacted everywhere")
    func redaction() {
        var options = MQTTOptions(host: "h", clientID: "c")
        options.password = MQTTPassword("canary-7391")
        var dumped = ""
        dump(options, to: &dumped)
        #expect(!dumped.contains("canary-7391") && dumped.contains("<redacted>"))
        #expect(!"\(options)".contains("canary-7391"))
        #expect(!String(reflecting: options).contains("canary-7391"))
    }
}
