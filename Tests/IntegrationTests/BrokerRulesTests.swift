import EventLoop
import JSON
import MQTT
import Simulators
import TestSupport
import Testing

@Loop
@Suite("A broker that does not let us do everything", .timeLimit(.minutes(10)))
struct BrokerRulesTests {
    /// A broker with a rule file for the gateway, whose user is `hub`.
    private func plan(_ rules: [String], in folder: TemporaryFolder) throws -> GatewayPlan {
        var plan = GatewayPlan()
        plan.startsGateway = false
        plan.broker.users = ["hub": "hub", "test": "test"]
        let file = try folder.write(
            (["user test", "topic readwrite #", "user hub"] + rules).joined(separator: "\n"),
            to: "acl"
        )
        plan.broker.lines = ["acl_file \(file)"]
        plan.mqtt = ["  username: hub", "  password: hub"]
        return plan
    }

    private func connect(_ house: TestHouse) async throws -> TestClient {
        try await house.connect {
            $0.username = "test"
            $0.password = MQTTPassword("test")
        }
    }

    @Test(
        "what may not be published is named in the log once and in health, and the rest goes on",
        arguments: ["lintel/device/lamp-1/state", "lintel/bridge/devices", "lintel/bridge/device/lamp-1"]
    )
    func deniedTopic(topic: String) async throws {
        let folder = try TemporaryFolder()
        let plan = try plan(["topic readwrite lintel/#", "topic write answers/#", "topic deny \(topic)"], in: folder)
        try await withGateway(plan) { house in
            let client = try await connect(house)
            try house.gateway.start()
            try await house.facts.until("the gateway is up") {
                client.text("bridge/state") == "online" && client.text("device/lamp-1/availability") == "online"
            }
            #expect(try await client.set("lamp-1", ["power": false])["stage"] == "confirmed")
            #expect(try await client.set("lamp-1", ["power": true])["stage"] == "confirmed")
            try await house.facts.polling("the log names the topic") { house.gateway.text.contains("topic=\(topic)") }
            let health = try await client.request("health_check")
            #expect(health["data"]?["refused_topics"]?.arrayValue?.contains(.string(topic)) == true, "\(health.text)")
            #expect(house.gateway.text.split(separator: "\n").count { $0.contains("topic=\(topic)") } == 1)
            #expect(client.newest[topic] == nil)
        }
    }

    @Test("messages that are too large for the broker are named, and the connection stays")
    func sizeLimit() async throws {
        var plan = GatewayPlan()
        plan.startsGateway = false
        plan.broker.lines = ["message_size_limit 700"]
        try await withGateway(plan) { house in
            let client = try await house.connect()
            try house.gateway.start()
            try await house.facts.until("the gateway is up") {
                client.text("bridge/state") == "online" && client.text("device/lamp-1/availability") == "online"
            }
            #expect(try await client.set("lamp-1", ["power": false])["stage"] == "confirmed")
            let topic = "lintel/bridge/device/lamp-1"
            try await house.facts.polling("the log names the topic") { house.gateway.text.contains("topic=\(topic)") }
            #expect(client.all("bridge/state").map(\.text) == ["online"])
        }
    }
}
