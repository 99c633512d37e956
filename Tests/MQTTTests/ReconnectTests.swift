import EventLoop
import MQTT
import TestSupport
import Testing

@Suite("MQTT reconnects", .timeLimit(.minutes(2)))
struct ReconnectTests {
    @Test("after a broker's restart the client is back with its subscriptions", arguments: [MQTTVersion.v5, .v311])
    @Loop func brokerRestart(version: MQTTVersion) async throws {
        try await withBroker { broker in
            let (probe, other) = (Probe(broker) { $0.versions = .only(version) }, Probe(broker))
            await probe.connected()
            await other.connected()
            _ = try await probe.subscribed(MQTTSubscription("a"), MQTTSubscription("b", noLocal: true))
            try await broker.restart()
            await probe.connected(times: 2)
            await other.connected(times: 2)
            await probe.fact.until { probe.answers.count == 4 }
            try await other.published(MQTTMessage(topic: "b", payload: [1], qos: .atLeastOnce))
            #expect(await probe.received(1).map(\.topic) == ["b"])
        }
    }

    @Test("messages without an acknowledgement fail when the broker dies, and do not come again by themselves")
    @Loop func brokerKilled() async throws {
        try await withBroker { broker in
            let probe = Probe(broker)
            await probe.connected()
            _ = try await probe.subscribed(MQTTSubscription("k"))
            var results: [Result<MQTTPublishAck, MQTTError>] = []
            await broker.kill()
            for number in 0..<50 {
                probe.client.publish(MQTTMessage(topic: "k", payload: [UInt8(number)], qos: .atLeastOnce)) {
                    results.append($0)
                    probe.fact.changed()
                }
            }
            await probe.fact.until { results.count == 50 }
            #expect(results.allSatisfy { (try? $0.get()) == nil })
            #expect(probe.client.outstanding == 0)
            try await broker.launch()
            await probe.connected(times: 2)
            await probe.fact.until { probe.answers.count == 2 }
            try await probe.published(MQTTMessage(topic: "k", payload: [99], qos: .atLeastOnce))
            #expect(await probe.received(1).map(\.payload) == [[99]])
        }
    }

    @Test("wrong credentials wait a minute", arguments: [MQTTVersion.v5, .v311])
    @Loop func wrongPassword(version: MQTTVersion) async throws {
        var configuration = MosquittoBroker.Configuration()
        configuration.users = ["hub": "right"]
        try await withBroker(configuration) { broker in
            let wrong = Probe(broker) {
                $0.versions = .only(version)
                $0.username = "hub"
                $0.password = MQTTPassword("wrong")
            }
            guard case .refused(let code, _) = await wrong.failed() else {
                Issue.record("\(wrong.states)")
                return
            }
            // mosquitto says "not authorised" in both versions.
            #expect(code == (version == .v5 ? 135 : 5))
            #expect(wrong.states.count == 2)
            if case .disconnected(_, let delay)? = wrong.states.last { #expect(delay == .seconds(60)) }

            let right = Probe(broker) {
                $0.username = "hub"
                $0.password = MQTTPassword("right")
            }
            #expect(await right.connected() != nil)
        }
    }

    @Test("a broker that says that our session was taken over tells of a second instance")
    @Loop func takenOver() async throws {
        // mosquitto 2.0 closes without a word instead.
        let broker = try ScriptedBroker { _ in .answerThenCutOff([0x20, 3, 0, 0, 0], [0xE0, 1, 142]) }
        let probe = Probe(MQTTOptions(host: "127.0.0.1", port: broker.port, clientID: "same"))
        await probe.connected()
        probe.client.publish(MQTTMessage(topic: "t", payload: []))
        await probe.fact.until { !probe.reasons.isEmpty }
        #expect(probe.states.last == .disconnected(reason: .duplicateInstance, retryIn: .seconds(60)))
    }

    @Test("two clients that throw each other out notice it")
    @Loop func flapping() async throws {
        try await withBroker { broker in
            let probes = [Probe(broker, id: "same"), Probe(broker, id: "same")]
            await probes[0].connected()
            await probes[1].connected()
            let fact = Fact()
            for probe in probes { probe.client.onState = { _ in fact.changed() } }
            let isGivenUp: @Loop () -> Bool = {
                probes.contains { $0.client.state == .disconnected(reason: .duplicateInstance, retryIn: .seconds(60)) }
            }
            await fact.until(isGivenUp)
            #expect(isGivenUp())
        }
    }

    @Test("a broker that knows only 3.1.1 gets 3.1.1, whether it says so or just closes", arguments: [true, false])
    @Loop func fallBack(answers: Bool) async throws {
        let broker = try ScriptedBroker { level in
            level == 4 ? .answer([0x20, 2, 0, 0]) : .cutOff(answers ? [0x20, 2, 0, 1] : [])
        }
        let probe = Probe(MQTTOptions(host: "127.0.0.1", port: broker.port, clientID: "c"))
        #expect(await probe.connected()?.version == .v311)
        #expect(probe.states.prefix(2) == [.connecting(.v5), .connecting(.v311)])
        #expect(broker.levels == [5, 4])
        #expect(probe.reasons.isEmpty)
    }

    @Test("what the broker says about itself is read")
    @Loop func connectionInfo() async throws {
        // CONNACK with receive maximum 7, QoS 1, no retain, packets up to 4096, 3 aliases, keep-alive 9 (MQTT 5, 3.2.2).
        let properties: [UInt8] = [33, 0, 7, 36, 1, 37, 0, 39, 0, 0, 16, 0, 34, 0, 3, 19, 0, 9]
        let length = UInt8(properties.count)
        let broker = try ScriptedBroker { _ in .answer([0x20, 3 + length, 1, 0, length] + properties) }
        let probe = Probe(MQTTOptions(host: "127.0.0.1", port: broker.port, clientID: "c"))
        let info = try #require(await probe.connected())
        #expect(info.isSessionPresent && info.receiveMaximum == 7 && info.maximumQoS == .atLeastOnce)
        #expect(!info.isRetainAvailable && info.maximumPacketSize == 4096)
        #expect(info.topicAliasMaximum == 3 && info.serverKeepAlive == 9)
    }

    @Test("a broker that does not answer is given up at the deadline")
    @Loop func silentBroker() async throws {
        let silent = try TCPListener(bind: .loopback(port: 0)) { connection in
            // Holds itself: a closure of the connection keeps it open.
            connection.onBytes = { _ in withExtendedLifetime(connection) {} }
        }
        var options = MQTTOptions(host: "127.0.0.1", port: silent.address.port, clientID: "c")
        options.connectDeadline = .milliseconds(200)
        options.versions = .only(.v5)
        let probe = Probe(options)
        #expect(await probe.failed() == .timedOut(after: .milliseconds(200)))
    }

    @Test("an unknown host and a closed port are unreachable")
    @Loop func unreachable() async throws {
        let port = try MosquittoBroker.freePort()
        for host in ["127.0.0.1", "no.such.host.invalid"] {
            let probe = Probe(MQTTOptions(host: host, port: port, clientID: "c"))
            guard case .unreachable = await probe.failed() else {
                Issue.record("\(probe.states)")
                continue
            }
            await probe.client.stop()
            #expect(probe.client.state == .stopped)
        }
    }

    @Test("an id that MQTT does not allow is said to be invalid")
    @Loop func invalidID() async throws {
        let probe = Probe(MQTTOptions(host: "127.0.0.1", clientID: ""))
        #expect(await probe.failed() == .invalid(detail: "client id \"\""))
    }

    @Test("a stopped client can be started again, and a stop in mid-connect ends it")
    @Loop func stopAndStart() async throws {
        try await withBroker { broker in
            let probe = Probe(broker)
            probe.client.start()
            await probe.client.stop()
            #expect(probe.client.state == .stopped)
            await probe.connected()
            await probe.client.stop()
            await probe.connected(times: 2)
            #expect(probe.reasons.isEmpty)
        }
    }
}
