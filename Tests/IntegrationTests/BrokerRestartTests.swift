import EventLoop
import Glibc
import JSON
import MQTT
import Simulators
import TestSupport
import Testing

@Loop
@Suite("A broker that restarts", .timeLimit(.minutes(10)))
struct BrokerRestartTests {
    @Test(
        "all state is published again within two seconds, with and without a broker's memory",
        arguments: [true, false]
    )
    func restart(isPersistent: Bool) async throws {
        var plan = GatewayPlan(lamps: 30, versions: LampVersion.allCases)
        plan.broker.isPersistent = isPersistent
        try await withGateway(plan) { house in
            let ids = house.lamps.map(\.identity.id)
            let sets = house.lamps.map(\.counts.sets)
            try await house.broker.restart()
            let moment = Loop.now
            // Subscribed before the gateway is back, it sees what is published anew without the flag for what was kept.
            let client = try await house.connect()
            try await house.facts.until("all is published again") {
                let fresh = Set(client.heard.filter { !$0.message.retain && !$0.message.payload.isEmpty }.map(\.topic))
                return fresh.contains("lintel/bridge/state")
                    && ids.allSatisfy {
                        fresh.contains("lintel/device/\($0)/state")
                            && fresh.contains("lintel/device/\($0)/availability")
                            && fresh.contains("lintel/bridge/device/\($0)")
                    }
            }
            let back = Loop.now - moment
            Figures.note("broker restarted (persistent: \(isPersistent)): state of 30 lamps published after \(back)")
            #expect(back < .seconds(4))
            #expect(client.text("bridge/state") == "online")
            for id in ids {
                #expect(client.json("device/\(id)/state")?["_meta"]?["source"] == "reported")
                #expect(client.text("device/\(id)/availability") == "online")
            }
            // Nobody was told to do anything.
            #expect(house.lamps.map(\.counts.sets) == sets)
            for id in ids.prefix(5) {
                let answer = try await client.set(id, ["brightness": 77])
                #expect(answer["stage"] == "confirmed", "\(answer.text)")
            }
        }
    }

    @Test("what lamps report while the broker is away is there when it is back")
    func reports() async throws {
        try await withGateway(GatewayPlan(lamps: 3)) { house in
            await house.broker.stop()
            for lamp in house.lamps { lamp.report([20: false, 22: 502]) }
            try await house.broker.launch()
            let client = try await house.connect()
            try await house.facts.until("the newest state is published") {
                (1...3).allSatisfy {
                    let state = client.json("device/lamp-\($0)/state")
                    return state?["power"] == false && state?["brightness"] == 128
                }
            }
        }
    }

    @Test(
        "commands that were retained while the gateway was away are not carried out later",
        arguments: ["5", "3.1.1"]
    )
    func replay(version: String) async throws {
        var plan = GatewayPlan()
        plan.mqtt = ["  version: \"\(version)\""]
        plan.broker.isPersistent = true
        try await withGateway(plan) { house in
            // The gateway is held still, so that it cannot see the command before the broker has kept it.
            house.gateway.signal(SIGSTOP)
            try await house.broker.restart()
            let client = try await house.connect()
            client.publish("device/lamp-1/set", #"{"power":false}"#, retain: true)
            try await house.facts.until("it is kept") { client.newest["lintel/device/lamp-1/set"] != nil }
            let before = client.all("bridge/state").count
            house.gateway.signal(SIGCONT)
            try await house.facts.until("the gateway is back") {
                client.all("bridge/state").count > before && client.text("bridge/state") == "online"
            }
            let answer = try await client.set("lamp-1", ["brightness": 99])
            #expect(answer["stage"] == "confirmed", "\(answer.text)")
            #expect(house.lamp.values[20] == true)
            #expect(house.lamp.counts.sets == 1, "\(house.story)")
        }
    }
}
