import EventLoop
import JSON
import Simulators
import TestSupport
import Testing
import TuyaProtocol

@Loop
@Suite("Lamps that are found, move, and refuse", .timeLimit(.minutes(10)))
struct ReachabilityTests {
    /// A plan whose lamps announce themselves on ports that nobody else listens on.
    private func announcing(_ count: Int, _ versions: [LampVersion]) throws -> GatewayPlan {
        var plan = GatewayPlan(lamps: count, versions: versions)
        plan.namesPlaces = false
        var settings = LampAnnouncer.Settings()
        settings.interval = .milliseconds(500)
        settings.ports.clear = try MosquittoBroker.freePort()
        settings.ports.encrypted = try MosquittoBroker.freePort()
        settings.ports.query = try MosquittoBroker.freePort()
        plan.beacons = settings
        return plan
    }

    @Test("lamps without address and version in the configuration are found by their beacons and commanded")
    func beacons() async throws {
        let plan = try announcing(5, LampVersion.allCases)
        try await withGateway(plan) { house in
            for index in house.lamps.indices {
                let answer = try await house.client.set(house.id(index), ["brightness": 128])
                #expect(answer["stage"] == "confirmed", "\(house.lamps[index].identity.version): \(answer.text)")
            }
        }
    }

    @Test(
        "lamps that announce nothing are found out by trying one version after the other",
        arguments: LampVersion.allCases
    )
    func unknownVersion(version: LampVersion) async throws {
        var plan = GatewayPlan(lamps: 1, versions: [version])
        plan.namesVersions = false
        plan.tuya = [
            "    timing:", "      probe_listen_ms: 100", "      probe_pause_ms: 100", "      answer_ms: 500",
            "      negotiation_pause_ms: 200", "      retry_unit_ms: 100", "      quiet_start_ms: 50",
        ]
        try await withGateway(plan) { house in
            let answer = try await house.client.set("lamp-1", ["brightness": 128])
            #expect(answer["stage"] == "confirmed", "\(answer.text)")
            #expect(house.lamp.values[22] == 502)
        }
    }

    @Test("a lamp that gets another address is followed", arguments: [LampVersion.v33, .v34])
    func moved(version: LampVersion) async throws {
        let plan = try announcing(2, [version])
        try await withGateway(plan) { house in
            let before = house.lamp.identity.address
            let moment = Loop.now
            try house.lamp.move(to: Loopback.block(1))
            house.lampHouse.announcer?.announce(house.lamp)
            try await house.facts.until("the lamp is back at its new address") {
                house.client.all("device/lamp-1/availability", since: moment).map(\.text) == ["offline", "online"]
                    && house.lamp.readyCount == 1
            }
            let reasons = house.client.all("bridge/device/lamp-1", since: moment).compactMap {
                $0.json?["reason"]?.stringValue
            }
            #expect(reasons.last == "ip_moved", "\(reasons)")
            Figures.note("lamp of \(version.rawValue) moved: back after \(Loop.now - moment)")
            #expect(house.lamp.identity.address != before)
            let answer = try await house.client.set("lamp-1", ["power": false])
            #expect(answer["stage"] == "confirmed", "\(answer.text)")
            #expect(house.client.all("device/lamp-2/availability", since: moment).isEmpty)
        }
    }

    @Test("a lamp with another local key says so, by reason and by code", arguments: LampVersion.allCases)
    func wrongKey(version: LampVersion) async throws {
        var plan = GatewayPlan(lamps: 1, versions: [version])
        plan.tuya = [
            "    timing:", "      key_pause_ms: 500", "      answer_ms: 1000", "      negotiation_pause_ms: 200",
            "      retry_unit_ms: 100",
        ]
        try await withGateway(plan) { house in
            let key = house.lamp.identity.localKey
            let moment = Loop.now
            try house.lamp.repair(key: "another key here")
            if version == .v31 {
                // Questions of 3.1 need no key, so that commands find out, and a single one may have been garbled.
                try await house.facts.until("the lamp is back") {
                    house.client.all("device/lamp-1/availability", since: moment).map(\.text) == ["offline", "online"]
                }
                for _ in 0..<3 {
                    let answer = try await house.client.set("lamp-1", ["power": false])
                    #expect(answer["error"]?["code"] == "key_changed", "\(answer.text)")
                }
            }
            try await house.facts.until("the reason is told") {
                house.client.json("bridge/device/lamp-1")?["reason"] == "key_changed"
            }
            Figures.note("key of \(version.rawValue) changed: noticed after \(Loop.now - moment)")
            let answer = try await house.client.set("lamp-1", ["power": false])
            #expect(answer["error"]?["code"] == "key_changed", "\(answer.text)")
            #expect(answer["error"]?["retryable"] == false)
            #expect(answer["error"]?["hint"]?.stringValue?.isEmpty == false)
            #expect(house.client.all("bridge/event", since: moment).contains { $0.json?["type"] == "key_changed" })
            // With the old key back it is there again, by itself.
            try house.lamp.repair(key: key)
            try await house.facts.until("the lamp is back") {
                house.client.text("device/lamp-1/availability") == "online"
            }
            #expect(try await house.client.set("lamp-1", ["power": false])["stage"] == "confirmed")
        }
    }

    @Test("a lamp whose only connection somebody else holds is busy, and taken when that one goes")
    func held() async throws {
        var plan = GatewayPlan(lamps: 1, versions: [.v33])
        plan.tuya = ["    timing:", "      held_pause_ms: 300", "      retry_unit_ms: 100"]
        plan.startsGateway = false
        try await withGateway(plan) { house in
            let other = try await TCPConnection.connect(to: house.lamp.identity.address, deadline: .seconds(5))
            other.onBytes = { _ in }
            try await house.facts.until("the other holds the lamp") { house.lamp.connectionCount == 1 }
            try house.gateway.start()
            let client = try await house.connect()
            try await house.facts.until("the reason is told") {
                client.json("bridge/device/lamp-1")?["reason"] == "held_by_other_client"
            }
            let answer = try await client.set("lamp-1", ["power": false])
            #expect(answer["error"]?["code"] == "device_busy", "\(answer.text)")
            #expect(answer["error"]?["retryable"] == true)
            #expect(house.lamp.counts.turnedAway > 0)
            other.close()
            try await house.isUp()
            #expect(try await client.set("lamp-1", ["power": false])["stage"] == "confirmed")
        }
    }

    @Test("a lamp that is not there is offline with its reason, commands fail at once, and it is taken when it comes")
    func absent() async throws {
        var plan = GatewayPlan(lamps: 2)
        plan.tuya = ["    timing:", "      retry_unit_ms: 100"]
        try await withGateway(plan) { house in
            house.lamp.stop()
            try await house.facts.until("the lamp is offline") {
                house.client.text("device/lamp-1/availability") == "offline"
            }
            let moment = Loop.now
            let answer = try await house.client.set("lamp-1", ["power": false])
            #expect(
                ["device_offline", "device_busy"].contains(answer["error"]?["code"]?.stringValue),
                "\(answer.text)"
            )
            #expect(answer["error"]?["retryable"] == true)
            #expect(Loop.now - moment < .seconds(2))
            #expect(house.client.text("device/lamp-2/availability") == "online")
            try house.lamp.start()
            try await house.isUp()
        }
    }
}
