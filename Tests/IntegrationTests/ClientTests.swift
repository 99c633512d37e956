import EventLoop
import JSON
import MQTT
import Simulators
import Testing

@Loop
@Suite("Clients of either version of MQTT", .timeLimit(.minutes(10)))
struct ClientTests {
    /// Which version the gateway speaks, and which the client.
    enum Pairing: CaseIterable, Sendable {
        case fiveFive, fiveOld, oldFive, oldOld

        var gateway: MQTTVersion { self == .fiveFive || self == .fiveOld ? .v5 : .v311 }
        var client: MQTTVersion { self == .fiveFive || self == .oldFive ? .v5 : .v311 }

        /// The plan of a house whose gateway speaks this version.
        @Loop var plan: GatewayPlan {
            var plan = GatewayPlan()
            if gateway == .v311 { plan.mqtt = ["  version: \"3.1.1\""] }
            return plan
        }
    }

    @Test("a command is answered to whoever asked, and the answer is not kept", arguments: Pairing.allCases)
    func answers(pairing: Pairing) async throws {
        try await withGateway(pairing.plan) { house in
            #expect(house.client.json("bridge/info")?["mqtt"]?["version"] == (pairing.gateway == .v5 ? "5" : "3.1.1"))
            let client = try await house.connect(pairing.client)
            let first = try await client.set("lamp-1", ["power": false])
            #expect(first["stage"] == "confirmed", "\(first.text)")
            #expect(first["elapsed_ms"]?.intValue.map { $0 >= 0 } == true)
            let list = try await client.request("devices/list", ["limit": 10])
            #expect(list["data"]?["total"] == 1, "\(list.text)")
            // The Response Topic takes the place of our own, where there is one.
            #expect(client.all("device/lamp-1/response").isEmpty == (pairing == .fiveFive))
            // What is echoed is what was written, to the byte.
            client.publish("device/lamp-1/set", #"{"power":true,"transaction":1.50}"#)
            try await house.facts.until("a plain answer") {
                client.all("device/lamp-1/response").contains { $0.text.contains(#""transaction":1.50,"#) }
            }
            let answer = try #require(client.newest["lintel/device/lamp-1/response"])
            #expect(answer.json?["stage"] == "confirmed")
            #expect(!answer.message.retain)
            if pairing == .fiveFive { #expect(answer.message.properties.user("hub-id")?.count == 8) }
            let late = try await house.connect(pairing.client)
            _ = try await late.request("info")
            #expect(late.newest["lintel/device/lamp-1/response"] == nil)
            #expect(late.json("device/lamp-1/state")?["power"] == true)
        }
    }

    @Test(
        "a Response Topic that could command the gateway is refused",
        arguments: ["a/+/b", "lintel/device/lamp-1/set"]
    )
    func responseTopic(topic: String) async throws {
        try await withGateway { house in
            house.client.publish(
                "device/lamp-1/set",
                #"{"power":false,"transaction":"t"}"#,
                properties: MQTTProperties(responseTopic: topic)
            )
            // A broker or library may refuse the wildcard itself; a request after it is answered either way.
            _ = try await house.connect().request("info")
            #expect(house.lamp.values[20] == true)
            #expect(house.lamp.counts.sets == 0)
            for answer in house.client.all("device/lamp-1/response") {
                #expect(answer.json?["error"]?["code"] == "bad_request", "\(answer.text)")
            }
        }
    }

    @Test("a slider does not overrun the lamp: the newest value wins, and every command is answered")
    func slider() async throws {
        try await withGateway { house in
            let client = house.client
            let marks = (0..<100).map { client.send("device/lamp-1/set", ["brightness": .integer(Int64($0 + 100))]) }
            try await house.facts.until("100 answers") { marks.allSatisfy { client.answer(to: $0) != nil } }
            let answers = marks.compactMap { client.answer(to: $0) }
            #expect(answers.allSatisfy { $0["status"] == "ok" })
            #expect(answers.last?["stage"] == "confirmed", "\(answers.last?.text ?? "")")
            #expect(answers.contains { $0["stage"] == "superseded" })
            try await house.facts.until("the last value is published") { house.state()["brightness"] == 199 }
            #expect(house.lamp.counts.sets < 60)
        }
    }

    @Test("a command with the retain flag is carried out once and cleared at the broker", arguments: Pairing.allCases)
    func liveRetained(pairing: Pairing) async throws {
        try await withGateway(pairing.plan) { house in
            let client = try await house.connect(pairing.client)
            client.publish("device/lamp-1/set", #"{"power":false}"#, retain: true)
            try await house.facts.until("the lamp is off") { house.lamp.values[20] == false }
            // A broker of 3.1.1 does not pass the flag on to those who are there, so that it is found at the next start.
            guard pairing.gateway == .v5 else { return }
            // The clearing is a message without content.
            try await house.facts.until("it is cleared") {
                client.all("device/lamp-1/set").contains { $0.message.payload.isEmpty }
            }
            let late = try await house.connect(pairing.client)
            _ = try await late.call("device/lamp-1/get")
            #expect(late.all("device/lamp-1/set").allSatisfy { !$0.message.retain })
            #expect(house.lamp.counts.sets == 1)
        }
    }

    @Test("a retained command from before the start is not carried out", arguments: Pairing.allCases)
    func oldRetained(pairing: Pairing) async throws {
        var plan = pairing.plan
        plan.startsGateway = false
        try await withGateway(plan) { house in
            let client = try await house.connect(pairing.client)
            client.publish("device/lamp-1/set", #"{"power":false}"#, retain: true)
            client.publish("bridge/request/device/rename", #"{"id":"lamp-1","name":"Ghost"}"#, retain: true)
            try await house.facts.until("they are there") {
                client.newest["lintel/device/lamp-1/set"] != nil
                    && client.newest["lintel/bridge/request/device/rename"] != nil
            }
            try house.gateway.start()
            try await house.isUp()
            // Commands are taken in order, so that this one comes after those.
            _ = try await house.connect().set("lamp-1", ["brightness": 200])
            #expect(house.lamp.values[20] == true)
            #expect(house.lamp.counts.sets == 1)
            #expect(house.client.json("bridge/device/lamp-1")?["name"]?.stringValue?.hasPrefix("Lamp") == true)
            guard pairing.gateway == .v311 else { return }
            // A broker of 3.1.1 sends them all the same; then they are answered, and cleared.
            let answers = house.client.all("device/lamp-1/response").compactMap { $0.json?["error"]?["code"] }
            #expect(answers.contains("retained_command"))
            try await house.facts.until("they are cleared") {
                client.all("device/lamp-1/set").contains { $0.message.payload.isEmpty }
                    && client.all("bridge/request/device/rename").contains { $0.message.payload.isEmpty }
            }
        }
    }
}
