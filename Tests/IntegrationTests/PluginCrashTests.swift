import EventLoop
import Glibc
import JSON
import Simulators
import Testing

@Loop
@Suite("A plugin that dies", .timeLimit(.minutes(10)))
struct PluginCrashTests {
    @Test("kill -9 in the middle of a command: it is answered, devices are offline once, all is back at once")
    func kill() async throws {
        let plan = GatewayPlan(lamps: 5, versions: LampVersion.allCases)
        try await withGateway(plan) { house in
            let client = house.client
            let gateway = house.gateway.pid
            let plugin = try #require(house.gateway.plugins["lintel-plugin-tuya"])
            house.lamp.faults.isSilent = true
            let mark = client.send("device/lamp-1/set", ["power": false])
            try await house.facts.until("the lamp has heard the command") { house.lamp.counts.unheard > 0 }
            #expect(client.answer(to: mark) == nil)

            let moment = Loop.now
            Glibc.kill(plugin, SIGKILL)
            house.lamp.faults.isSilent = false
            try await house.facts.until("the command is answered") { client.answer(to: mark) != nil }
            let answered = Loop.now - moment
            let answer = try #require(client.answer(to: mark))
            #expect(answer["error"]?["code"] == "plugin_down", "\(answer.text)")
            #expect(answer["error"]?["retryable"] == true)

            let ids = house.lamps.map(\.identity.id)
            try await house.facts.until("all lamps are back") {
                ids.allSatisfy { id in
                    let said = client.all("device/\(id)/availability", since: moment).map(\.text)
                    return said.contains("offline") && said.last == "online"
                }
            }
            let back = Loop.now - moment
            let again = try await client.set("lamp-1", ["power": false])
            #expect(again["stage"] == "confirmed", "\(again.text)")
            Figures.note("plugin killed: command answered after \(answered), 5 lamps back after \(back)")
            #expect(back < .seconds(3))

            for id in ids {
                let said = client.all("device/\(id)/availability", since: moment).map(\.text)
                #expect(said == ["offline", "online"], "\(id): \(said)")
                let reasons = client.all("bridge/device/\(id)", since: moment).compactMap { $0.json?["reason"] }
                #expect(reasons.first == "plugin_down", "\(id): \(reasons)")
                #expect(reasons.count { $0 == "plugin_down" } == 1, "\(id): \(reasons)")
            }
            let events = client.all("bridge/event", since: moment).compactMap { $0.json?["type"]?.stringValue }
            #expect(events.count { $0 == "plugin_crashed" } == 1, "\(events)")
            #expect(events.count { $0 == "plugin_started" } == 1, "\(events)")
            #expect(client.all("bridge/state", since: moment).isEmpty)
            #expect(house.gateway.pid == gateway)
            #expect(house.gateway.plugins["lintel-plugin-tuya"] != plugin)
            #expect(client.json("bridge/plugin/tuya")?["restarts"] == 1)
            #expect(!ProcessTable.isAlive(plugin))
        }
    }

    @Test("a plugin that is killed again and again comes back each time, later and later, and never takes others down")
    func again() async throws {
        try await withGateway { house in
            for round in 1...3 {
                var plugin: Int32 = 0
                try await house.facts.polling("plugin number \(round)") {
                    plugin = house.gateway.plugins["lintel-plugin-tuya"] ?? 0
                    return plugin != 0
                }
                let moment = Loop.now
                Glibc.kill(plugin, SIGKILL)
                try await house.facts.until("the lamp is back from round \(round)") {
                    house.client.all("device/lamp-1/availability", since: moment).last?.text == "online"
                }
                let answer = try await house.client.set("lamp-1", ["brightness": .integer(Int64(100 + round))])
                #expect(answer["stage"] == "confirmed", "\(answer.text)")
            }
            #expect(house.client.json("bridge/plugin/tuya")?["restarts"] == 3)
        }
    }

    @Test("a reload is another process and no crash")
    func reload() async throws {
        try await withGateway { house in
            let plugin = try #require(house.gateway.plugins["lintel-plugin-tuya"])
            let moment = Loop.now
            let answer = try await house.client.request("plugin/reload", ["id": "tuya"])
            #expect(answer["status"] == "ok", "\(answer.text)")
            try await house.facts.polling("another process") {
                house.gateway.plugins["lintel-plugin-tuya"].map { $0 != plugin } == true
            }
            try await house.facts.until("the lamp is back") {
                house.client.all("device/lamp-1/availability", since: moment).last?.text == "online"
            }
            #expect(house.client.json("bridge/plugin/tuya")?["restarts"] == 0)
            let types = house.client.all("bridge/event", since: moment).compactMap { $0.json?["type"] }
            #expect(!types.contains("plugin_crashed"))
        }
    }

    @Test("a plugin that hangs is found out and started again")
    func hang() async throws {
        try await withGateway { house in
            let plugin = try #require(house.gateway.plugins["lintel-plugin-tuya"])
            let moment = Loop.now
            Glibc.kill(plugin, SIGSTOP)
            let answer = try await house.client.set("lamp-1", ["power": false])
            #expect(answer["error"]?["retryable"] == true, "\(answer.text)")
            try await house.facts.polling("the stuck process is gone") { !ProcessTable.isAlive(plugin) }
            try await house.facts.until("the lamp is back") {
                house.client.all("device/lamp-1/availability", since: moment).last?.text == "online"
            }
            Figures.note("plugin hanging: back after \(Loop.now - moment)")
            #expect(try await house.client.set("lamp-1", ["power": false])["stage"] == "confirmed")
            #expect(house.client.json("bridge/plugin/tuya")?["restarts"] == 1)
        }
    }
}
