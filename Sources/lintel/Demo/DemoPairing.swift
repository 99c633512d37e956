import EventLoop
import Glibc
import JSON

/// What the demo pairs: a lamp that waits in a hotspot of its own, a radio that can go there, and the vendor's cloud, all
/// simulated.
@Loop
final class DemoPairing {
    /// The network that the lamp can join, and its password.
    nonisolated static let (ssid, password) = ("Demo Home", "sunflower")
    private static let hotspotAddress = "127.77.0.1"

    private let folder: String
    private var cloud: DemoSimulator?
    private var lamp: DemoSimulator?

    private init(_ folder: String) { self.folder = folder }

    static func start(folder: String) async throws -> DemoPairing {
        let pairing = DemoPairing(folder)
        do {
            try await pairing.launch()
        } catch {
            pairing.stop()
            throw error
        }
        return pairing
    }

    func stop() {
        lamp?.stop()
        cloud?.stop()
    }

    private func launch() async throws {
        // What was on the air when the last demo was killed is not there any more.
        try Files.makeFolder(air)
        for name in ["hotspots.json", "cloud.json"] { unlink("\(folder)/\(name)") }
        try Files.write(Self.plan.text, to: "\(folder)/hotspots.json")
        let cloud = try await DemoSimulator.start(["cloud"], what: "The simulated cloud")
        self.cloud = cloud
        lamp = try await DemoSimulator.start(
            ["hotspot", "--plan", "\(folder)/hotspots.json", "--air", air, "--cloud", url],
            what: "The lamp to be paired"
        )
    }

    private var air: String { "\(folder)/air" }

    private var url: String { cloud?.line(after: "ready: cloud at ") ?? "" }

    /// A lamp of the new process that sees four networks.
    private static var plan: JSON {
        [
            "devices": [
                [
                    "name": "Lamp from the box", "address": .string(hotspotAddress), "reports_failures": true,
                    "returns_after_ms": 1500, "join_ms": 3000, "announce_interval_ms": 500,
                    "networks": [
                        ["ssid": .string(ssid), "password": .string(password), "signal": -48],
                        ["ssid": "Café Zürich ☕", "password": "cappuccino", "signal": -63],
                        ["ssid": "Neighbours 2.4", "password": "not-for-you", "signal": -71],
                        ["ssid": "Upstairs", "signal": -80, "outcome": "no_lease"],
                    ],
                    "lan": ["address": "127.77.1.2"],
                ]
            ]
        ]
    }

    /// Lines of the configuration at its top level.
    var radio: String {
        let command = ["\(PluginFolders.ownFolder)/lintel-simulator", "wifi", "--air", air].map(JSON.string)
        return "wifi:\n  way: command\n  command: \(JSON.array(command).text)"
    }

    /// Lines of the plugin's section.
    var account: String {
        let words = (cloud?.line(after: "account: ") ?? "").split(separator: " ").map(String.init)
        let value = { (name: String) -> JSON in
            words.firstIndex(of: name).map { .string(words[$0 + 1 < words.count ? $0 + 1 : $0]) } ?? ""
        }
        return """
                cloud:
                  url: \(url)
                  client_id: \(value("client_id").text)
                  secret: \(value("secret").text)
                  uid: \(value("uid").text)
            """
    }
}
