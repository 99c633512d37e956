import EventLoop
import Glibc
import JSON
import MQTT
import Simulators
import TestSupport
import Testing
import TuyaProtocol

/// A broker, a gateway with its plugin, simulated lamps and a client, all for one test.
@Loop
final class TestHouse {
    let plan: GatewayPlan
    let facts = Facts()
    let folder: TemporaryFolder
    let broker: MosquittoBroker
    let lampHouse: TuyaLampHouse
    let gateway: GatewayProcess
    /// Further programs to end with the house.
    private var others: [GatewayProcess] = []
    private var clients: [TestClient] = []

    private init(_ plan: GatewayPlan, _ broker: MosquittoBroker, _ folder: TemporaryFolder) throws {
        self.plan = plan
        self.broker = broker
        self.folder = folder
        lampHouse = try TuyaLampHouse(plan.lamps, beacons: plan.beacons)
        gateway = GatewayProcess(configuration: folder.file("lintel.yaml"), facts: facts)
        for lamp in lampHouse.lamps { lamp.onEvent = { [facts] _, _ in facts.changed() } }
    }

    static func make(_ plan: GatewayPlan) async throws -> TestHouse {
        var plan = plan
        plan.lamps.firstAddress = Loopback.block(plan.lamps.count)
        let broker = try await MosquittoBroker.start(plan.broker)
        return try TestHouse(plan, broker, try TemporaryFolder())
    }

    /// Starts what the plan says.
    func open() async throws {
        try lampHouse.start()
        if plan.fakePlugin != nil { try writeFakePlugin() }
        try writeConfiguration()
        guard plan.startsGateway else { return }
        try gateway.start()
        _ = try await connect()
        try await isUp()
    }

    /// Ends everything that was started, by process id.
    func close() async {
        for client in clients { await client.close() }
        for process in [gateway] + others {
            process.signal(SIGCONT)
            process.signal(SIGTERM)
            do { try await facts.until("", within: .seconds(10)) { !process.isRunning } } catch {
                try? await process.kill()
            }
        }
        lampHouse.stop()
        await broker.stop()
    }

    // MARK: Parts

    var lamps: [TuyaLamp] { lampHouse.lamps }

    /// The first lamp.
    var lamp: TuyaLamp { lamps[0] }

    /// The first client that was connected.
    var client: TestClient { clients[0] }

    /// The gateway's data directory.
    var dataDirectory: String { folder.file("data") }

    /// The id of a lamp, by its number from 0 on.
    func id(_ index: Int) -> String { lamps[index].identity.id }

    /// Another client, closed with the house.
    func connect(
        _ version: MQTTVersion = .v5,
        filters: [String]? = nil,
        adjust: (inout MQTTOptions) -> Void = { _ in }
    ) async throws -> TestClient {
        let client = try await TestClient.connect(
            broker,
            facts: facts,
            version: version,
            base: plan.base,
            filters: filters,
            adjust: adjust
        )
        clients.append(client)
        return client
    }

    /// Another gateway with a configuration of its own, ended with the house.
    func anotherGateway(configuration: String) -> GatewayProcess {
        let process = GatewayProcess(configuration: configuration, facts: facts)
        others.append(process)
        return process
    }

    // MARK: Configuration

    /// Writes the gateway's configuration.
    ///
    /// - Parameter indices: the lamps that stand in it; nil for all.
    func writeConfiguration(lamps indices: [Int]? = nil) throws {
        try folder.write(configuration(lamps: indices), to: "lintel.yaml")
    }

    /// Makes the folder of the second plugin, as somebody who has written one would.
    private func writeFakePlugin() throws {
        let manifest: JSON = [
            "id": "fake", "name": "Fake lamps", "version": "0.1.0", "protocols": [1],
            "vendor": "Nobody", "description": "Lamps that do not exist.", "executable": "lintel-plugin-fake",
            "arguments": .array(plan.fakeArguments.map { .string($0) }),
            "secrets": ["password"], "pairing": FakePairing.manifest,
        ]
        for path in [folder.file("plugins"), folder.file("plugins/fake")] {
            guard mkdir(path, 0o700) == 0 else { throw TestError.system(code: errno, call: "mkdir \(path)") }
        }
        try folder.write(manifest.text, to: "plugins/fake/plugin.json")
    }

    /// The text of the configuration.
    func configuration(lamps indices: [Int]? = nil) -> String {
        var lines = ["mqtt:"]
        if !plan.mqtt.contains(where: { $0.contains("url:") }) {
            lines.append("  url: mqtt://127.0.0.1:\(broker.port)")
        }
        lines += ["  base_topic: \(plan.base)"] + plan.mqtt
        lines += ["data_directory: \(dataDirectory)", "log:", "  level: \(plan.logLevel)", "  format: text"]
        lines += plan.lines
        if plan.fakePlugin != nil { lines.append("plugin_directories: [\(folder.file("plugins"))]") }
        lines += ["plugins:", "  tuya:"] + plan.tuya
        if let ports = plan.beacons?.ports {
            lines += ["    discovery:", "      ports: [\(ports.clear), \(ports.encrypted), \(ports.query)]"]
        } else {
            lines += ["    discovery:", "      enabled: false"]
        }
        lines.append("    devices:")
        for index in indices ?? Array(lamps.indices) { lines += lampLines(index) }
        if let fake = plan.fakePlugin { lines += ["  fake:", "    enabled: true"] + fake }
        return lines.joined(separator: "\n") + "\n"
    }

    private func lampLines(_ index: Int) -> [String] {
        let identity = lampHouse.lamps[index].identity
        var lines = ["      - id: \(identity.id)", "        local_key: \(JSON.string(identity.localKey).text)"]
        lines.append("        name: \(JSON.string(identity.name).text)")
        if plan.namesPlaces {
            lines.append("        address: \(identity.address.ip)")
            if plan.namesVersions { lines.append("        version: \"\(identity.version.text)\"") }
        }
        return lines + (plan.lampLines[index] ?? [])
    }

    // MARK: Facts

    /// Waits until the gateway says that it is online and has heard of all lamps what they report themselves.
    func isUp(_ client: TestClient? = nil, lamps indices: [Int]? = nil) async throws {
        let client = client ?? self.client
        let ids = (indices ?? Array(lamps.indices)).map(id)
        try await facts.until("the gateway is up with \(ids.count) lamps") {
            client.text("bridge/state") == "online"
                && ids.allSatisfy {
                    client.text("device/\($0)/availability") == "online"
                        && client.json("device/\($0)/state")?["_meta"]?["source"] == "reported"
                }
        }
    }

    /// The newest state of a lamp.
    func state(_ index: Int = 0) -> JSON { client.json("device/\(id(index))/state") ?? .null }

    /// What to print where a test has failed.
    var story: String {
        let lines = gateway.text.split(separator: "\n").suffix(120).joined(separator: "\n")
        let heard = clients.first?.heard.suffix(40).map { "\($0.topic) \($0.text.prefix(300))" }.joined(separator: "\n")
        let status = gateway.status.map { "\($0)" } ?? "running"
        return "gateway (\(status)):\n\(lines)\n\nheard last:\n\(heard ?? "")\n\nbroker:\n\(broker.log.suffix(2000))"
    }
}

/// Runs `body` in a house of its own, which is taken down afterwards; a failure comes with what the gateway logged.
@Loop
func withGateway(
    _ plan: GatewayPlan = GatewayPlan(),
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: @Loop (TestHouse) async throws -> Void
) async throws {
    try await GatewaySlots.shared.run {
        let house = try await TestHouse.make(plan)
        do {
            try await house.open()
            try await body(house)
        } catch {
            // What was required and not met is told already.
            let told = error is ExpectationFailedError ? "" : "\(error)\n"
            Issue.record("\(told)\(house.story)", sourceLocation: sourceLocation)
        }
        await house.close()
    }
}
