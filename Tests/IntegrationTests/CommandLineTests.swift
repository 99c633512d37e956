import EventLoop
import Glibc
import JSON
import Simulators
import TestSupport
import Testing

@Loop
@Suite("The program at a running gateway", .timeLimit(.minutes(10)))
struct CommandLineTests {
    /// Runs a verb with the house's configuration.
    private func lintel(_ house: TestHouse, _ words: String...) async throws -> CommandLineRun {
        try await CommandLineRun.run(words + ["--config", house.gateway.configuration], facts: house.facts)
    }

    @Test("status and devices say what there is, in words and in JSON")
    func status() async throws {
        try await withGateway(GatewayPlan(lamps: 3, versions: [.v33, .v34, .v35])) { house in
            let status = try await lintel(house, "status")
            #expect(status.exit == 0, "\(status.errors)")
            #expect(status.output.contains("3 of 3 online"), "\(status.output)")
            #expect(status.output.contains("tuya"))
            #expect(status.output.contains("running"))
            let facts = try #require(try await lintel(house, "status", "--json").json.first)
            #expect(facts["health"]?["devices_online"] == 3)
            #expect(facts["info"]?["base_topic"] == "lintel")
            #expect(facts["plugins"]?[0]?["state"] == "running")

            let devices = try await lintel(house, "devices")
            #expect(devices.exit == 0)
            #expect(devices.output.split(separator: "\n").count == 4, "\(devices.output)")
            let list = try await lintel(house, "devices", "--json").json
            #expect(list.compactMap { $0["id"]?.stringValue } == ["lamp-1", "lamp-2", "lamp-3"])

            let show = try await lintel(house, "device", "lamp-2", "show")
            #expect(show.output.contains("online") && show.output.contains("color_temp"), "\(show.output)")
            #expect(show.output.contains("2700…6500"), "\(show.output)")
            let all = try #require(try await lintel(house, "device", "lamp-2", "show", "--json").json.first)
            #expect(all["data"]?["properties"]?["brightness"]?["maximum"] == 255, "\(all.text)")
        }
    }

    @Test("a lamp is commanded and read, and errors come with their code and exit status 1")
    func commands() async throws {
        try await withGateway { house in
            let set = try await lintel(house, "device", "lamp-1", "set", "power=on", "brightness=128")
            #expect(set.exit == 0, "\(set.errors)")
            #expect(set.output.contains("confirmed"), "\(set.output)")
            #expect(house.lamp.values[22] == 502)
            let color = try await lintel(house, "device", "lamp-1", "set", "color.h=240", "color.s=100", "--json")
            #expect(color.json.first?["stage"] == "confirmed", "\(color.output)")
            let object = try await lintel(house, "device", "lamp-1", "set", #"{"color_temp":4000}"#)
            #expect(object.exit == 0, "\(object.errors)")
            #expect(house.lamp.values[23] == 342)
            house.lamp.change([20: false])
            let get = try await lintel(house, "device", "lamp-1", "get", "power")
            #expect(get.exit == 0, "\(get.errors)")
            #expect(get.output.contains("power") && get.output.contains("false"), "\(get.output)")

            let wide = try await lintel(house, "device", "lamp-1", "set", "brightness=999")
            #expect(wide.exit == 1)
            #expect(wide.errors.contains("value_out_of_range"), "\(wide.errors)")
            #expect(wide.errors.contains("clamp"), "\(wide.errors)")
            #expect(try await lintel(house, "device", "lamp-1", "set", "brightness=999", "--clamp").exit == 0)
            let stranger = try await lintel(house, "device", "lamp-9", "set", "power=on", "--json")
            #expect(stranger.exit == 1)
            #expect(stranger.json.first?["error"]?["code"] == "device_not_found", "\(stranger.output)")
            let history = try await lintel(house, "device", "lamp-1", "history")
            #expect(
                history.output.contains("cli") && history.output.contains("value_out_of_range"),
                "\(history.output)"
            )
            let action = try await lintel(house, "device", "lamp-1", "action", "dance")
            #expect(action.exit == 1)
            #expect(action.errors.contains("capability_missing"), "\(action.errors)")
        }
    }

    @Test("renamed and moved as asked; a lamp of the configuration is not removed")
    func keeping() async throws {
        try await withGateway { house in
            #expect(try await lintel(house, "device", "lamp-1", "rename", "Lampe über dem Tisch").exit == 0)
            #expect(try await lintel(house, "request", "home/add", #"{"name":"Home"}"#).exit == 0)
            #expect(try await lintel(house, "request", "room/add", #"{"name":"Kitchen"}"#).exit == 0)
            #expect(try await lintel(house, "device", "lamp-1", "move", "kitchen").exit == 0)
            let list = try await lintel(house, "devices", "--json").json
            #expect(list.first?["name"] == "Lampe über dem Tisch", "\(list)")
            #expect(list.first?["room"] == "kitchen")
            let homes = try await lintel(house, "homes")
            #expect(homes.output.contains("kitchen"), "\(homes.output)")
            let nowhere = try await lintel(house, "device", "lamp-1", "move", "cellar")
            #expect(nowhere.exit == 1)
            #expect(nowhere.errors.contains("kitchen"), "\(nowhere.errors)")
            let remove = try await lintel(house, "device", "lamp-1", "remove")
            #expect(remove.exit == 1)
            #expect(remove.errors.contains("conflict"), "\(remove.errors)")
        }
    }

    @Test("plugins are listed, reloaded, and their logs shown")
    func plugins() async throws {
        try await withGateway { house in
            let plugin = try #require(house.gateway.plugins["lintel-plugin-tuya"])
            let list = try await lintel(house, "plugin", "list")
            #expect(list.exit == 0 && list.output.contains("tuya") && list.output.contains("running"), "\(list.output)")
            let reload = try await lintel(house, "plugin", "reload", "tuya")
            #expect(reload.exit == 0, "\(reload.errors)")
            #expect(!ProcessTable.isAlive(plugin))
            let logs = try await lintel(house, "plugin", "logs", "tuya", "--limit", "20")
            #expect(logs.exit == 0)
            #expect((1...20).contains(logs.output.split(separator: "\n").count), "\(logs.output)")
            let stranger = try await lintel(house, "plugin", "logs", "zigbee")
            #expect(stranger.exit == 1)
            #expect(stranger.errors.contains("plugin_not_found"), "\(stranger.errors)")
        }
    }

    @Test("watch and mqtt tail print what passes until Ctrl-C")
    func watching() async throws {
        try await withGateway { house in
            let config = ["--config", house.gateway.configuration]
            let watch = try CommandLineRun.start(["device", "lamp-1", "watch"] + config, facts: house.facts)
            let tail = try CommandLineRun.start(["mqtt", "tail", "--json"] + config, facts: house.facts)
            let narrow = try CommandLineRun.start(
                ["mqtt", "tail", "lintel/bridge/info"] + config,
                facts: house.facts
            )
            try await house.facts.until("the retained state is printed") {
                watch.output.contains("state") && tail.output.contains("lintel/device/lamp-1/state")
                    && narrow.output.contains("lintel/bridge/info")
            }
            house.lamp.report([22: 502])
            try await house.facts.until("a change is printed") {
                watch.output.contains(#""brightness":128"#) && tail.output.contains(#""brightness":128"#)
            }
            for run in [watch, tail, narrow] {
                try await run.interrupt()
                #expect(run.exit == 0, "\(run.errors)")
            }
            #expect(tail.json.contains { $0["topic"] == "lintel/bridge/state" && $0["retain"] == true })
            #expect(!narrow.output.contains("/state"), "\(narrow.output)")
        }
    }

    @Test("wrong usage is 2, a broken configuration 3, nobody there 4, each with a hint")
    func exitCodes() async throws {
        var plan = GatewayPlan()
        plan.startsGateway = false
        try await withGateway(plan) { house in
            for words in [
                ["devces"], ["device", "lamp-1", "show", "--colour"], ["device", "lamp-1", "set"], ["plugin"],
            ] {
                let run = try await CommandLineRun.run(words, facts: house.facts)
                #expect(run.exit == 2, "\(words): \(run.output)\(run.errors)")
                #expect(run.errors.split(separator: "\n").count >= 2, "\(words): \(run.errors)")
            }
            let typo = try await CommandLineRun.run(["devces"], facts: house.facts)
            #expect(typo.errors.contains("lintel devices"), "\(typo.errors)")
            let missing = try await CommandLineRun.run(["run", "--config", "/no/such.yaml"], facts: house.facts)
            #expect(missing.exit == 3, "\(missing.errors)")
            #expect(missing.errors.contains("/no/such.yaml"), "\(missing.errors)")
            // A broker without a gateway behind it, and no broker at all.
            let silent = try await lintel(house, "status", "--timeout", "0.5")
            #expect(silent.exit == 4, "\(silent.errors)")
            #expect(silent.errors.contains("lintel"), "\(silent.errors)")
            let port = try MosquittoBroker.freePort()
            let nobody = try await CommandLineRun.run(
                ["status", "--url", "mqtt://127.0.0.1:\(port)", "--timeout", "5"],
                facts: house.facts,
                in: house.folder.path
            )
            #expect(nobody.exit == 4, "\(nobody.errors)")
            #expect(nobody.errors.contains("127.0.0.1:\(port)"), "\(nobody.errors)")
        }
    }

    @Test("config check tells every problem with its line")
    func configCheck() async throws {
        var plan = GatewayPlan()
        plan.startsGateway = false
        try await withGateway(plan) { house in
            let good = try await CommandLineRun.run(
                ["config", "check", house.gateway.configuration],
                facts: house.facts
            )
            #expect(good.exit == 0, "\(good.output)\(good.errors)")
            let text = """
                mqtt:
                  url: mqtt://127.0.0.1:1883
                  base_topik: lintel
                data_directory: \(house.dataDirectory)
                plugins:
                  tuya:
                    devices:
                      - id: bf0123456789abcdefgh
                        local_key: "0123456789abcdef"
                        adress: 127.0.0.2
                        port: 70000
                """
            let path = try house.folder.write(text, to: "bad.yaml")
            let bad = try await CommandLineRun.run(["config", "check", path], facts: house.facts)
            #expect(bad.exit == 3)
            #expect(bad.output.contains(":3:"), "\(bad.output)")
            #expect(bad.output.contains("base_topic"), "\(bad.output)")
            let repaired = text.replacing("base_topik", with: "base_topic")
            try house.folder.write(repaired, to: "bad.yaml")
            let plugin = try await CommandLineRun.run(["config", "check", path], facts: house.facts)
            #expect(plugin.exit == 3)
            #expect(plugin.output.contains(":10:") && plugin.output.contains("address"), "\(plugin.output)")
            #expect(plugin.output.contains(":11:") && plugin.output.contains("65535"), "\(plugin.output)")
            let machine = try await CommandLineRun.run(["config", "check", path, "--json"], facts: house.facts)
            #expect(machine.json.first?["valid"] == false)
            #expect(machine.json.first?["problems"]?.arrayValue?.count == 2, "\(machine.output)")
        }
    }

    @Test("help names every verb, and each verb's page says how it is used")
    func help() async throws {
        let facts = Facts()
        let overview = try await CommandLineRun.run(["help"], facts: facts)
        #expect(overview.exit == 0)
        for verb in ["run", "status", "devices", "set", "watch", "rename", "move", "remove", "reload", "check", "tail"]
        {
            #expect(overview.output.contains(verb), "\(verb)")
            let page = try await CommandLineRun.run(["help", verb], facts: facts)
            #expect(page.exit == 0 && page.output.contains("usage: lintel"), "\(verb): \(page.output)\(page.errors)")
        }
        let flag = try await CommandLineRun.run(["device", "lamp-1", "set", "--help"], facts: facts)
        #expect(flag.exit == 0 && flag.output.contains("property=value"), "\(flag.output)\(flag.errors)")
        let version = try await CommandLineRun.run(["version", "--json"], facts: facts)
        #expect(version.json.first?["version"]?.stringValue?.isEmpty == false)
    }
}
