import EventLoop
import Glibc
import JSON
import MQTT
import Simulators
import TestSupport
import Testing

@Loop
@Suite("The life of a gateway", .timeLimit(.minutes(10)))
struct GatewayLifeTests {
    @Test(
        "SIGTERM and SIGINT end it in good order: offline is said, states stay, nothing is left running",
        arguments: [SIGTERM, SIGINT]
    )
    func stop(signal: Int32) async throws {
        try await withGateway(GatewayPlan(lamps: 2)) { house in
            let plugins = Array(house.gateway.plugins.values)
            #expect(plugins.count == 1)
            let moment = Loop.now
            house.gateway.signal(signal)
            #expect(try await house.gateway.ended() == .exited(0))
            Figures.note("gateway stopped after \(Loop.now - moment)")
            #expect(Loop.now - moment < .seconds(5))
            #expect(house.client.text("bridge/state") == "offline")
            #expect(plugins.allSatisfy { !ProcessTable.isAlive($0) })
            let late = try await house.connect()
            try await house.facts.until("what was retained") { late.json("device/lamp-2/state") != nil }
            #expect(late.text("bridge/state") == "offline")
            #expect(late.json("device/lamp-1/state")?["power"] == true)
        }
    }

    @Test("a gateway that is killed is offline by its last will, after five seconds")
    func will() async throws {
        try await withGateway { house in
            let moment = Loop.now
            try await house.gateway.kill()
            try await house.facts.until("the last will") { house.client.text("bridge/state") == "offline" }
            let elapsed = Loop.now - moment
            #expect(elapsed > .seconds(3), "a short absence would be told: \(elapsed)")
        }
    }

    @Test("what was known before a start is restored until the lamps speak")
    func restored() async throws {
        try await withGateway(GatewayPlan(lamps: 2)) { house in
            #expect(try await house.client.set("lamp-1", ["brightness": 77])["stage"] == "confirmed")
            try await house.gateway.stop()
            house.lamp.stop()
            let moment = Loop.now
            try house.gateway.start()
            try await house.facts.until("the lamp that is there has spoken, the other's state is restored") {
                let newest = house.client.newest["lintel/device/lamp-1/state"]
                return newest.map { $0.at > moment } == true
                    && newest?.json?["_meta"]?["source"] == "restored" && newest?.json?["brightness"] == 77
                    && house.client.all("device/lamp-2/state", since: moment).last?.json?["_meta"]?["source"]
                        == "reported"
                    && house.client.text("bridge/state") == "online"
            }
            #expect(house.client.text("device/lamp-1/availability") == "offline")
            try house.lamp.start()
            try await house.isUp()
            #expect(house.state()["brightness"] == 77)
        }
    }

    @Test("a restart on request keeps the process id and loses nothing")
    func restart() async throws {
        try await withGateway { house in
            let pid = house.gateway.pid
            let plugin = try #require(house.gateway.plugins["lintel-plugin-tuya"])
            _ = try await house.client.request("device/rename", ["id": "lamp-1", "name": "Kept"])
            let moment = Loop.now
            let answer = try await house.client.request("restart")
            #expect(answer["status"] == "ok" || answer["status"] == "accepted", "\(answer.text)")
            try await house.facts.until("it is back") {
                house.client.all("bridge/state", since: moment).map(\.text) == ["offline", "online"]
            }
            Figures.note("gateway restarted on request after \(Loop.now - moment)")
            try await house.isUp()
            #expect(house.gateway.pid == pid)
            #expect(house.gateway.isRunning)
            #expect(!ProcessTable.isAlive(plugin))
            #expect(house.client.json("bridge/device/lamp-1")?["name"] == "Kept")
            #expect(try await house.client.set("lamp-1", ["power": false])["stage"] == "confirmed")
        }
    }

    @Test("the embedded broker serves, comes back when it dies, and does not keep a killed gateway's port")
    func embedded() async throws {
        let port = try MosquittoBroker.freePort()
        var plan = GatewayPlan()
        plan.mqtt = ["  url: embedded:\(port)"]
        plan.startsGateway = false
        try await withGateway(plan) { house in
            try house.gateway.start()
            let client = try await house.connect { $0.port = port }
            try await house.isUp(client)
            #expect(try await client.set("lamp-1", ["power": false])["stage"] == "confirmed")
            let broker = try #require(house.gateway.plugins["mosquitto"])
            kill(broker, SIGKILL)
            let moment = Loop.now
            try await house.facts.until("broker, gateway and client are back") {
                client.all("bridge/state", since: moment).last?.text == "online" && client.client.state.isConnected
            }
            #expect(try await client.set("lamp-1", ["power": true])["stage"] == "confirmed")
            let survivor = try #require(house.gateway.plugins["mosquitto"])
            try await house.gateway.kill()
            let second = Loop.now
            try house.gateway.start()
            try await house.facts.until("the next gateway is up") {
                client.all("bridge/state", since: second).last?.text == "online"
                    && house.gateway.plugins["mosquitto"].map { $0 != survivor } == true
            }
            #expect(!ProcessTable.isAlive(survivor))
            #expect(try await client.set("lamp-1", ["power": false])["stage"] == "confirmed")
            let last = try #require(house.gateway.plugins["mosquitto"])
            try await house.gateway.stop()
            #expect(!ProcessTable.isAlive(last))
        }
    }

    @Test("the demo comes up by itself, says what to try, and ends with all that it started")
    func demo() async throws {
        var plan = GatewayPlan()
        plan.startsGateway = false
        try await withGateway(plan) { house in
            // Its lamps have fixed addresses; somebody may be showing it on this machine.
            let address = SocketAddress(ipv4: 0x7F00_0002, port: 6668)
            guard let listener = try? TCPListener(bind: address, onConnection: { $0.close() }) else {
                return Figures.note("demo not tried: \(address) is taken")
            }
            listener.close()
            let port = try MosquittoBroker.freePort()
            let folder = house.folder.file("demo")
            let demo = try CommandLineRun.start(
                ["demo", "--lamps", "2", "--port", "\(port)", "--directory", folder],
                facts: house.facts
            )
            try await house.facts.until("the demo is up: \(demo.output)\(demo.errors)") {
                demo.exit != nil || demo.output.contains("device demo-lamp-1 set")
            }
            try #require(demo.exit == nil, "\(demo.output)\(demo.errors)")
            let client = try await house.connect { $0.port = port }
            try await house.facts.until("its lamps are online") {
                (1...2).allSatisfy { client.text("device/demo-lamp-\($0)/availability") == "online" }
            }
            #expect(try await client.set("demo-lamp-2", ["brightness": 128])["stage"] == "confirmed")
            let started = ProcessTable.children(of: demo.pid)
            // A broker, a plugin, lamps, a lamp to be paired, a cloud.
            #expect(started.count == 5, "\(started.map(ProcessTable.commandLine))")
            try await pairsALamp(house, folder)
            try await demo.interrupt()
            #expect(demo.exit == 0, "\(demo.errors)")
            try await house.facts.polling("all that it started has ended") {
                started.allSatisfy { !ProcessTable.isAlive($0) }
            }
        }
    }

    /// Pairs the demo's lamp as its advice says, with a wrong password first.
    private func pairsALamp(_ house: TestHouse, _ folder: String) async throws {
        let wrong = try house.folder.write("moonflower", to: "wrong")
        let right = try house.folder.write("sunflower", to: "right")
        let config = ["--config", "\(folder)/lintel.yaml"]
        let pair = try await CommandLineRun.run(
            ["pair", "tuya", "ap", "--json", "--ssid", "Demo Home", "--name", "Lamp from the box"]
                + ["--set", "password=@\(wrong)", "--set", "password=@\(right)"] + config,
            facts: house.facts
        )
        #expect(pair.exit == 0, "\(pair.output)\(pair.errors)")
        #expect(pair.output.contains("wifi_wrong_password"), "\(pair.output)")
        let device = try #require(pair.json.last?["devices"]?[0]?.stringValue)
        let set = try await CommandLineRun.run(["device", device, "set", "power=on"] + config, facts: house.facts)
        #expect(set.output.contains("confirmed"), "\(set.output)\(set.errors)")
    }
}
