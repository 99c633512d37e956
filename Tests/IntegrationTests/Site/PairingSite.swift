import EventLoop
import Glibc
import JSON
import MQTT
import TestSupport
import Testing

/// A gateway with a radio, a device in its hotspot, a cloud and a broker, on hosts of their own.
@Loop
final class PairingSite {
    static let network = "HomeNet"
    static let password = "correct horse battery"
    private static let cloud = "http://\(SiteNetwork.routerAddress):8070"

    let plan: SitePlan
    let hosts: SiteNetwork
    let facts = Facts()
    let folder: TemporaryFolder
    let broker: MosquittoBroker
    let gateway: GatewayProcess
    private var clients: [TestClient] = []
    private var routers: [SiteProgram] = []
    private var devices: [SiteProgram] = []
    /// What must never be seen outside, besides the password of the network.
    var secrets: [String] = [PairingSite.password]

    private init(_ plan: SitePlan, _ hosts: SiteNetwork, _ broker: MosquittoBroker, _ folder: TemporaryFolder) {
        self.plan = plan
        self.hosts = hosts
        self.broker = broker
        self.folder = folder
        gateway = GatewayProcess(configuration: folder.file("lintel.yaml"), facts: facts, prefix: hosts.on(.hub, []))
    }

    static func make(_ plan: SitePlan) async throws -> PairingSite {
        let hosts = try await SiteNetwork.make(hotspot: plan.hotspot)
        do {
            var configuration = MosquittoBroker.Configuration()
            configuration.extraAddress = hosts.testAddress
            let broker = try await MosquittoBroker.start(configuration)
            return PairingSite(plan, hosts, broker, try TemporaryFolder())
        } catch {
            await hosts.remove()
            throw error
        }
    }

    var client: TestClient { clients[0] }
    private var router: SiteProgram { routers[0] }
    /// The simulator of the device, the newest.
    var device: SiteProgram { devices[devices.count - 1] }

    func open() async throws {
        guard mkdir(folder.file("air"), 0o700) == 0 else { throw TestError.system(code: errno, call: "mkdir") }
        try folder.write(JSON.object(["devices": [.object(devicePlan)]]).text, to: "device.json")
        try writeConfiguration()
        let listen = "\(SiteNetwork.routerAddress):8070"
        routers = [try SiteProgram(["cloud", "--listen", listen], on: .router, of: hosts, facts: facts)]
        try await facts.until("the cloud is up") { [self] in router.text.contains("http://") }
        try startDevice()
        try await facts.until("the device is up") { [self] in device.text.contains("ready") }
        try gateway.start()
        clients = [try await TestClient.connect(broker, facts: facts)]
        try await isUp()
    }

    /// Waits until gateway and plugin are there.
    func isUp() async throws {
        try await facts.until("gateway and plugin are up") { [self] in
            client.text("bridge/state") == "online" && client.json("bridge/plugin/tuya")?["state"] == "running"
        }
    }

    func startDevice() throws {
        let files = ["--plan", folder.file("device.json"), "--air", folder.file("air")]
        let arguments = ["hotspot"] + files + ["--cloud", Self.cloud]
        devices.append(try SiteProgram(arguments, on: .device, of: hosts, facts: facts))
    }

    func close() async {
        for client in clients { await client.close() }
        gateway.signal(SIGTERM)
        do { try await facts.until("", within: .seconds(15)) { [self] in !gateway.isRunning } } catch {
            try? await gateway.kill()
        }
        for simulator in devices + routers { await simulator.stop() }
        await broker.stop()
        await hosts.remove()
    }

    /// Has the simulated cloud do something, see `lintel-simulator cloud`.
    func cloud(_ path: String, _ body: JSON) async throws {
        try await hosts.run(
            .router,
            "python3",
            "-c",
            "import sys,urllib.request as u;print(u.urlopen(u.Request(sys.argv[1],sys.argv[2].encode())).read().decode())",
            "\(Self.cloud)/sim/\(path)",
            body.text
        )
    }

    // MARK: What it is made of

    private var devicePlan: JSONObject {
        let net = plan.hotspot.split(separator: ".").prefix(3).joined(separator: ".")
        var device: JSONObject = [
            "address": .string(plan.hotspot), "announce_to": "255.255.255.255", "announce_interval_ms": 300,
            "station": ["interface": "wlan0", "address": .string("\(net).100"), "prefix": 24],
            "networks": [["ssid": .string(Self.network), "password": .string(Self.password), "signal": -41]],
            "join_ms": 300,
            "lan": [
                "address": .string(SiteNetwork.deviceAddress), "announce_to": "10.77.0.255",
                "announce_interval_ms": 500,
            ],
        ]
        for (key, value) in plan.device { device[key] = value }
        return device
    }

    private func writeConfiguration() throws {
        let simulator = try Programs.path("lintel-simulator")
        let command = [simulator, "wifi", "--air", folder.file("air"), "--interface", "wlan0", "--configure"]
        var lines = ["mqtt:", "  url: mqtt://\(hosts.testAddress):\(broker.port)"]
        lines += ["data_directory: \(folder.file("data"))", "log:", "  level: debug", "  format: text"]
        lines += ["wifi:", "  way: command", "  command: \(JSON.array(command.map { .string($0) }).text)"]
        lines += ["  home_interface: eth0", "plugins:", "  tuya:"]
        if plan.hasAccount {
            lines += [
                "    cloud:", "      url: \(Self.cloud)", "      insecure: true",
                "      client_id: simulatedclient00001",
                "      secret: 0123456789abcdef0123456789abcdef", "      uid: sim0000000000000001",
            ]
        }
        if !plan.timing.isEmpty {
            lines += ["    pairing:", "      timing:"] + plan.timing.map { "        \($0)" }
        }
        try folder.write(lines.joined(separator: "\n") + "\n", to: "lintel.yaml")
    }

    /// What to print where a test has failed.
    var story: String {
        let lines = gateway.text.split(separator: "\n").suffix(100).joined(separator: "\n")
        let heard = clients.first?.heard.filter { $0.topic.contains("/pairing/") }.suffix(25)
            .map { $0.text.prefix(700) }.joined(separator: "\n")
        return """
            gateway:\n\(lines)\n\nsessions:\n\(heard ?? "")\n\ndevice:\n\(devices.last?.text.suffix(3000) ?? "")\n
            cloud:\n\(routers.first?.text.suffix(2000) ?? "")
            """
    }
}

/// Runs `body` in a site of its own, which is taken down afterwards.
@Loop
func withSite(
    _ plan: SitePlan,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: @Loop (PairingSite) async throws -> Void
) async throws {
    try await GatewaySlots.shared.run {
        let site = try await PairingSite.make(plan)
        do {
            try await site.open()
            try await body(site)
        } catch {
            let told = error is ExpectationFailedError ? "" : "\(error)\n"
            Issue.record("\(told)\(site.story)", sourceLocation: sourceLocation)
        }
        await site.close()
    }
}
