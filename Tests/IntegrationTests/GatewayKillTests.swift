import EventLoop
import Glibc
import JSON
import MQTT
import Simulators
import TestSupport
import Testing

@Loop
@Suite("A gateway that is killed", .timeLimit(.minutes(20)))
struct GatewayKillTests {
    /// How often it is killed: a hundred times, or as `LINTEL_KILLS` says.
    private static var kills: Int { getenv("LINTEL_KILLS").flatMap { Int(String(cString: $0)) } ?? 100 }

    @Test("kill -9 at any moment under load: all that was acknowledged is there, nothing is left behind")
    func kills() async throws {
        var plan = GatewayPlan(lamps: 4, versions: [.v33, .v34, .v35, .v31])
        plan.logLevel = "notice"
        plan.startsGateway = false
        plan.broker.isPersistent = true
        try await withGateway(plan) { house in
            let load = HouseLoad(house, try await house.connect())
            var random = SystemRandomNumberGenerator()
            let begin = Loop.now
            for round in 0..<Self.kills {
                try house.gateway.start()
                if round % 3 != 2 {
                    // It has opened the registry, it answers, and it knows all that it said it would keep.
                    try await load.check()
                    load.start()
                }
                try await Loop.sleep(for: .milliseconds(Int64(random.next(upperBound: UInt64(300)))))
                let plugins = ProcessTable.plugins(ofGateways: [house.gateway.pid])
                try await house.gateway.kill()
                load.stop()
                try await house.facts.polling("no plugin outlives its gateway") {
                    plugins.allSatisfy { !ProcessTable.isAlive($0) }
                }
            }
            Figures.note(
                "gateway killed \(Self.kills) times in \(Loop.now - begin); \(load.acknowledged) changes acknowledged"
            )
            #expect(load.acknowledged > Self.kills)

            try house.gateway.start()
            try await load.check()
            try await house.isUp()
            #expect(ProcessTable.plugins(ofGateways: Set(house.gateway.pids.dropLast())).isEmpty)
            try await removal(house)
        }
    }

    /// A lamp goes out of the configuration; then the broker must have exactly what the house needs.
    private func removal(_ house: TestHouse) async throws {
        try await house.gateway.stop()
        try house.writeConfiguration(lamps: [0, 1, 2])
        try house.gateway.start()
        try await house.isUp(lamps: [0, 1, 2])
        try await house.facts.until("the lamp is gone") {
            house.client.json("bridge/devices")?["devices"]?.arrayValue?.count == 3
        }
        let sweep = try await house.client.request("mqtt/sweep", ["dry_run": true])
        #expect(sweep["data"]?["topics"] == [], "\(sweep.text)")
        // Whatever is retained comes before the answer to a request that is made after the subscription.
        let late = try await house.connect()
        _ = try await late.request("info")
        let retained = Set(late.heard.filter(\.message.retain).map { String($0.topic.dropFirst("lintel/".count)) })
        var expected: Set<String> = [
            "bridge/state", "bridge/info", "bridge/health", "bridge/devices", "bridge/homes", "bridge/plugin/tuya",
        ]
        for id in ["lamp-1", "lamp-2", "lamp-3"] {
            expected.formUnion(["device/\(id)/state", "device/\(id)/availability", "bridge/device/\(id)"])
        }
        #expect(retained == expected, "\(retained.symmetricDifference(expected).sorted())")
    }
}
