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
        var plan = GatewayPlan(lamps: 5, versions: LampVersion.allCases)
        plan.fakePlugin = []
        try await withGateway(plan) { house in
            let client = house.client
            try await house.facts.until("the other plugin's lamps are there, too") {
                client.text("device/fake-lamp-1/availability") == "online"
            }
            let gateway = house.gateway.pid
            let plugin = try #require(house.gateway.plugins["lintel-plugin-tuya"])
            let other = try #require(house.gateway.plugins["lintel-plugin-fake"])
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
            // The other plugin notices nothing, and nobody notices anything of it.
            #expect(house.gateway.plugins["lintel-plugin-fake"] == other)
            #expect(client.all("device/fake-lamp-1/availability", since: moment).isEmpty)
            #expect(client.all("bridge/device/fake-lamp-1", since: moment).isEmpty)
            #expect(try await client.set("fake-lamp-1", ["power": true])["status"] == "ok")
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

    @Test("a plugin that cannot live ends in quarantine, and does not keep the others from starting")
    func quarantine() async throws {
        var plan = GatewayPlan()
        plan.fakePlugin = []
        plan.fakeArguments = ["--exit"]
        try await withGateway(plan) { house in
            #expect(try await house.client.set("lamp-1", ["power": false])["stage"] == "confirmed")
            try await house.facts.until("it is in quarantine") {
                house.client.json("bridge/plugin/fake")?["state"] == "quarantined"
            }
            let plugin = house.client.json("bridge/plugin/fake")
            #expect(plugin?["last_error"]?.stringValue?.contains("code 3") == true, "\(plugin?.text ?? "")")
            let events = house.client.all("bridge/event").compactMap { $0.json }
            #expect(events.count { $0["type"] == "plugin_quarantined" && $0["data"]?["id"] == "fake" } == 1)
            #expect(house.client.json("bridge/plugin/tuya")?["restarts"] == 0)
            #expect(try await house.client.set("lamp-1", ["power": true])["stage"] == "confirmed")
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
