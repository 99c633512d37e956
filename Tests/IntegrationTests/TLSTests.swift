import EventLoop
import JSON
import MQTT
import TestSupport
import Testing

@Loop
@Suite("Encryption", .timeLimit(.minutes(10)))
struct TLSTests {
    private func plan(_ certificates: Certificates, _ keys: [String]) -> GatewayPlan {
        var plan = GatewayPlan(lamps: 1, versions: [.v35])
        plan.broker.users = ["hub": "secret of the hub"]
        plan.broker.certificates = certificates
        plan.broker.requiresClientCertificate = true
        plan.startsGateway = false
        plan.mqtt = keys
        return plan
    }

    /// The keys of the configuration, with the port of the house's broker.
    private func write(_ house: TestHouse) throws {
        let text = house.configuration().replacing("PORT", with: "\(house.broker.port)")
        try house.folder.write(text, to: "lintel.yaml")
    }

    private func connect(_ house: TestHouse, _ certificates: Certificates) async throws -> TestClient {
        try await house.connect { options in
            options.host = "localhost"
            options.username = "hub"
            options.password = MQTTPassword("secret of the hub")
            options.tls = MQTTTLSOptions(
                caFile: certificates.caFile,
                certificateFile: certificates.clientCertificate,
                keyFile: certificates.clientKey
            )
        }
    }

    @Test(
        "own authority, client certificate, user and password: lamps are commanded as ever",
        arguments: ["5", "3.1.1"]
    )
    func mutual(version: String) async throws {
        let folder = try TemporaryFolder()
        let certificates = try await Certificates.make(in: folder)
        let keys = [
            "  url: mqtts://localhost:PORT", "  username: hub", "  password: secret of the hub",
            "  ca_file: \(certificates.caFile)", "  certificate_file: \(certificates.clientCertificate)",
            "  key_file: \(certificates.clientKey)", "  version: \"\(version)\"",
        ]
        try await withGateway(plan(certificates, keys)) { house in
            try write(house)
            let client = try await connect(house, certificates)
            try house.gateway.start()
            try await house.isUp()
            #expect(try await client.set("lamp-1", ["power": false])["stage"] == "confirmed")
            // A reconnect needs all of it again.
            try await house.broker.restart()
            try await house.facts.until("both are back") {
                client.all("bridge/state").count { $0.text == "online" } > 1
            }
            #expect(try await client.set("lamp-1", ["power": true])["stage"] == "confirmed")
            #expect(!house.gateway.text.contains("NOT verified"))
        }
    }

    /// What keeps the gateway from connecting, and what its log says of it.
    enum Obstacle: String, CaseIterable, Sendable {
        case strangeAuthority, noCertificate, wrongPassword

        var word: String {
            switch self {
            case .strangeAuthority: "certificate"
            case .noCertificate: ""
            case .wrongPassword: "not authorized"
            }
        }
    }

    @Test(
        "a broker that cannot be trusted, or does not trust us, is left alone and the log says why",
        arguments: Obstacle.allCases
    )
    func refused(obstacle: Obstacle) async throws {
        let folder = try TemporaryFolder()
        let certificates = try await Certificates.make(in: folder)
        let authority = obstacle == .strangeAuthority ? certificates.strangerCAFile : certificates.caFile
        var keys = [
            "  url: mqtts://127.0.0.1:PORT", "  username: hub",
            "  password: \(obstacle == .wrongPassword ? "wrong" : "secret of the hub")", "  ca_file: \(authority)",
        ]
        if obstacle != .noCertificate {
            keys += [
                "  certificate_file: \(certificates.clientCertificate)", "  key_file: \(certificates.clientKey)",
            ]
        }
        try await withGateway(plan(certificates, keys)) { house in
            try write(house)
            let client = try await connect(house, certificates)
            try house.gateway.start()
            try await house.facts.until("the log says why") {
                let line = house.gateway.text.split(separator: "\n").first {
                    $0.contains("not connected to the broker")
                }
                return line.map { $0.lowercased().contains(obstacle.word) } == true
            }
            #expect(house.gateway.isRunning)
            #expect(client.heard.isEmpty)
        }
    }
}
