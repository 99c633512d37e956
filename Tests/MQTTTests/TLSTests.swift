import EventLoop
import MQTT
import TestSupport
import Testing

@Suite("MQTT over TLS", .timeLimit(.minutes(2)))
struct TLSTests {
    @Test("a broker of our own authority is trusted, by address and by name", arguments: ["127.0.0.1", "localhost"])
    @Loop func ownAuthority(host: String) async throws {
        try await withTLSBroker { broker, certificates in
            let probe = Self.probe(host, broker, MQTTTLSOptions(caFile: certificates.caFile))
            #expect(await probe.connected()?.version == .v5)
            _ = try await probe.subscribed(MQTTSubscription("t"))
            // Larger than a TLS record.
            let payload = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
            try await probe.published(MQTTMessage(topic: "t", payload: payload, qos: .atLeastOnce))
            #expect(await probe.received(1).first?.payload == payload)
            await probe.client.stop()
        }
    }

    @Test("many messages in one record are all read")
    @Loop func manyMessages() async throws {
        try await withTLSBroker { broker, certificates in
            let probe = Self.probe("127.0.0.1", broker, MQTTTLSOptions(caFile: certificates.caFile))
            await probe.connected()
            _ = try await probe.subscribed(MQTTSubscription("t", qos: .atMostOnce))
            for number in 0..<500 { probe.client.publish(MQTTMessage(topic: "t", payload: Array("\(number)".utf8))) }
            #expect(await probe.received(500).map(\.text) == (0..<500).map { "\($0)" })
        }
    }

    @Test("a broker of another authority is refused, unless that is switched off")
    @Loop func otherAuthority() async throws {
        try await withTLSBroker { broker, certificates in
            var tls = MQTTTLSOptions(caFile: certificates.strangerCAFile)
            guard case .tls(let detail) = await Self.probe("127.0.0.1", broker, tls).failed() else {
                Issue.record("no TLS error")
                return
            }
            #expect(detail.contains("certificate verify failed"))
            tls.isInsecure = true
            #expect(await Self.probe("127.0.0.1", broker, tls).connected() != nil)
        }
    }

    @Test("a broker under a name that its certificate does not have is refused")
    @Loop func otherName() async throws {
        try await withTLSBroker(serverNames: ["DNS:broker.example"]) { broker, certificates in
            let tls = MQTTTLSOptions(caFile: certificates.caFile)
            guard case .tls = await Self.probe("127.0.0.1", broker, tls).failed() else {
                Issue.record("no TLS error")
                return
            }
        }
    }

    @Test("a broker that wants a certificate gets ours, and refuses those who have none")
    @Loop func clientCertificate() async throws {
        try await withTLSBroker(requiresClientCertificate: true) { broker, certificates in
            var tls = MQTTTLSOptions(caFile: certificates.caFile)
            #expect(await Self.probe("127.0.0.1", broker, tls).failed() != nil)
            tls.certificateFile = certificates.clientCertificate
            tls.keyFile = certificates.clientKey
            #expect(await Self.probe("127.0.0.1", broker, tls).connected() != nil)
        }
    }

    @Test("a file that is not there is named")
    @Loop func missingFile() async throws {
        var options = MQTTOptions(host: "127.0.0.1", port: 1, clientID: "c")
        options.tls = MQTTTLSOptions(caFile: "/nowhere/ca.crt")
        #expect(await Probe(options).failed() == .tls(detail: "cannot read /nowhere/ca.crt"))
    }

    @Test("a broker in clear is not taken for an encrypted one")
    @Loop func clearBroker() async throws {
        try await withBroker { broker in
            let probe = Self.probe("127.0.0.1", broker, MQTTTLSOptions())
            #expect(await probe.failed() != nil)
        }
    }

    @Loop private static func probe(
        _ host: String,
        _ broker: MosquittoBroker,
        _ tls: MQTTTLSOptions
    ) -> Probe {
        Probe(broker) {
            $0.host = host
            $0.tls = tls
        }
    }

    @Loop private func withTLSBroker(
        requiresClientCertificate: Bool = false,
        serverNames: [String] = ["DNS:localhost", "IP:127.0.0.1"],
        _ body: @Loop (MosquittoBroker, Certificates) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let certificates = try await Certificates.make(in: folder, serverNames: serverNames)
            var configuration = MosquittoBroker.Configuration()
            configuration.certificates = certificates
            configuration.requiresClientCertificate = requiresClientCertificate
            try await withBroker(configuration) { broker in try await body(broker, certificates) }
        }
    }
}
