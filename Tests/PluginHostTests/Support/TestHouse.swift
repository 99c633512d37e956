import DeviceInterface
import EventLoop
import Glibc
import HomeModel
import JSON
import Log
import PluginHost
import TestSupport
import Testing

/// A gateway around a plugin host: keeps what plugins report, and runs copies of the fake plugin.
@Loop
final class TestHouse: PluginHostDelegate {
    private let folder: TemporaryFolder
    let log = RingSink(capacity: 1000)
    private(set) var statuses: [PluginStatus] = []
    private(set) var downs: [PluginID] = []
    private var setups: [PluginID: PluginSetup] = [:]
    private var hosts: [PluginID: RecordingHost] = [:]
    private let fact = Fact()
    private var host: PluginHost?

    init() throws { folder = try TemporaryFolder() }

    /// Runs `body` with a host of fake plugins, and stops them afterwards.
    ///
    /// - Parameter plugins: their ids, each with its configuration.
    static func with(
        _ plugins: [(String, JSON)] = [("fake", [:])],
        times: SupervisionTimes = .brisk,
        arguments: [String] = [],
        devices: [KnownDevice] = [],
        _ body: @Loop (TestHouse, PluginHost) async throws -> Void
    ) async throws {
        let house = try TestHouse()
        var settings = PluginHostSettings(
            // Relative, as in a configuration: from the test's folder, not from the plugin's.
            folders: [relative(house.folder.path)],
            dataDirectory: relative(house.folder.path) + "/new/data",
            gatewayVersion: "1.0",
            environment: ["PATH": "/usr/bin:/bin", "LINTEL_TEST": "passed", "SECRET": "kept"]
        )
        settings.executables = [relative(productsFolder)]
        settings.times = times
        for (id, config) in plugins {
            try house.folder.put(manifest(id, arguments), at: "\(id)/plugin.json")
            house.setups[try plugin(id)] = PluginSetup(config: config, devices: devices)
        }
        let log = Log("plugins", levels: LogLevels(.trace), sink: house.log)
        let host = PluginHost(settings: settings, delegate: house, log: log)
        house.host = host
        await host.start(try plugins.map { try plugin($0.0) })
        do { try await body(house, host) } catch {
            await host.stop()
            throw error
        }
        await host.stop()
        withExtendedLifetime(house) {}
    }

    nonisolated static func plugin(_ id: String) throws -> PluginID { try #require(PluginID(id)) }

    private static func manifest(_ id: String, _ arguments: [String]) -> String {
        let json: JSON = [
            "id": .string(id), "name": "Fake", "version": "0", "protocols": [1], "executable": "lintel-plugin-fake",
            "arguments": .array(arguments.map(JSON.string)), "vendor": "Nobody", "description": "Fakes.",
            "secrets": ["door_code"], "pairing": FakePairing.manifest,
        ]
        return json.text
    }

    /// Changes what a plugin gets at its next start.
    func configure(_ id: PluginID, _ config: JSON) { setups[id]?.config = config }

    func recordingHost(_ id: PluginID) -> RecordingHost {
        if let host = hosts[id] { return host }
        let host = RecordingHost()
        hosts[id] = host
        return host
    }

    func status(_ id: PluginID) -> PluginStatus? { host?.statuses.first { $0.id == id } }

    /// Waits until a plugin's status meets something, and returns that status, which may be over by then.
    func until(_ id: PluginID, _ isMet: @escaping @Loop (PluginStatus) -> Bool) async -> PluginStatus? {
        var met: PluginStatus?
        await until {
            guard let status = self.status(id), isMet(status) else { return false }
            met = met ?? status
            return true
        }
        return met
    }

    /// Waits until something holds; it is looked at now and whenever a plugin changes.
    func until(_ isMet: @escaping @Loop () -> Bool) async {
        await fact.until(isMet)
    }

    /// The adapter of a plugin that is up.
    func adapter(_ id: PluginID) async throws -> any DeviceAdapter {
        _ = await until(id) { $0.state.isUp }
        return try #require(host?.adapter(for: id))
    }

    // MARK: PluginHostDelegate

    func setup(of plugin: PluginID) async throws(CommandError) -> PluginSetup {
        setups[plugin] ?? PluginSetup(config: [:])
    }

    func host(of plugin: PluginID) -> any AdapterHost { recordingHost(plugin) }

    func pluginChanged(_ status: PluginStatus) {
        statuses.append(status)
        // Not from inside the host's own call.
        Loop.nextTick { self.fact.changed() }
    }

    func pluginWentDown(_ plugin: PluginID) {
        downs.append(plugin)
        Loop.nextTick { self.fact.changed() }
    }
}

extension SupervisionTimes {
    /// Short enough for tests, long enough for a loaded machine.
    static var brisk: SupervisionTimes {
        var times = SupervisionTimes()
        times.start = .seconds(60)
        times.pingInterval = .seconds(30)
        times.pingGrace = .seconds(30)
        times.restart.firstDelay = .milliseconds(20)
        times.restart.longestDelay = .milliseconds(100)
        return times
    }
}
