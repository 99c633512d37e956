import Config
import DeviceInterface
import EventLoop
import HomeModel
import Hub
import JSON
import Log
import PluginHost
import PluginWire

/// Stands between hub and plugin host: gives plugins their setup, and tells the hub how they are.
@Loop
final class PluginService: PluginDirectory, PluginHostDelegate {
    private var configuration: Configuration
    private let path: String
    private let hub: Hub
    private let log: Log
    private var host: PluginHost?
    /// States that were told of, to tell of changes only.
    private var told: [PluginID: PluginStatus.State] = [:]

    /// - Parameter path: the configuration's file, to read a plugin's section again when it is reloaded.
    init(configuration: Configuration, path: String, hub: Hub, log: Log) {
        self.configuration = configuration
        self.path = path
        self.hub = hub
        self.log = log
    }

    func start() async {
        var settings = PluginHostSettings(
            folders: PluginFolders.folders(configuration),
            dataDirectory: configuration.dataDirectory,
            gatewayVersion: Version.text,
            environment: ProcessEnvironment.all
        )
        settings.executables = [PluginFolders.ownFolder]
        let host = PluginHost(settings: settings, delegate: self, log: log)
        self.host = host
        await host.start(configuration.plugins.values.filter(\.isEnabled).map(\.id).sorted())
    }

    func stop() async { await host?.stop() }

    // MARK: - For the hub

    func adapter(for plugin: PluginID) -> (any DeviceAdapter)? { host?.adapter(for: plugin) }

    var summaries: [PluginSummary] {
        host?.statuses.map { status in
            PluginSummary(
                id: status.id,
                name: status.name,
                version: status.version,
                state: status.state.rawValue,
                detail: status.detail,
                restarts: status.restarts,
                lastError: status.lastError,
                since: status.since,
                pid: status.pid
            )
        } ?? []
    }

    func pairingMethods(of plugin: PluginID) -> [PairingMethod] { host?.manifest(of: plugin)?.pairing ?? [] }

    func reload(_ plugin: PluginID) async throws(CommandError) {
        guard let host else { throw CommandError(.pluginNotFound, "No plugins are running.") }
        guard let running = configuration.plugins[plugin] else {
            throw CommandError(.pluginNotFound, "The plugin \(plugin) was not configured when the gateway was started.")
        }
        let written: Configuration
        do throws(Failure) {
            written = try ConfigLocation.load(path)
        } catch {
            throw CommandError(.invalidConfig, error.message, hint: "The plugin goes on as it is.")
        }
        guard let section = written.plugins[plugin], section.isEnabled == running.isEnabled else {
            throw CommandError(
                .invalidConfig,
                "The plugin \(plugin) is not started by the configuration as it is now.",
                hint: "Restart the gateway to start or stop whole plugins."
            )
        }
        configuration.plugins[plugin] = section
        try await host.reload(plugin)
    }

    func recording(of plugin: PluginID, limit: Int) throws(CommandError) -> [JSON] {
        try host?.recording(of: plugin, limit: limit).map(\.json) ?? []
    }

    // MARK: - For the plugin host

    func setup(of plugin: PluginID) async throws(CommandError) -> PluginSetup {
        let catalog = PluginFolders.catalog(configuration)
        guard let settings = configuration.plugins[plugin], let found = catalog.plugin(plugin) else {
            throw CommandError(.pluginNotFound, "The plugin \(plugin) is not configured.")
        }
        do {
            let section = try PluginFolders.checked(settings, found)
            return PluginSetup(
                config: section.json,
                devices: hub.knownDevices(of: plugin),
                secrets: hub.secrets(of: plugin)
            )
        } catch let problems as ConfigProblems {
            throw CommandError(.invalidConfig, problems.description)
        } catch let failure as Failure {
            throw CommandError(.invalidConfig, failure.message)
        } catch {
            throw CommandError(.internal, "\(error)")
        }
    }

    func limits(of plugin: PluginID) -> ProcessLimits {
        var limits = ProcessLimits()
        guard let wanted = configuration.plugins[plugin]?.limits else { return limits }
        limits.openFiles = UInt64(wanted.openFiles)
        limits.addressSpace = wanted.memoryBytes.map { UInt64($0) }
        return limits
    }

    func host(of plugin: PluginID) -> any AdapterHost { hub.desk(for: plugin) }

    func pluginChanged(_ status: PluginStatus) {
        let before = told.updateValue(status.state, forKey: status.id)
        if before != status.state, let kind = Self.event(for: status.state) {
            var data: JSONObject = ["id": .string(status.id.text), "restarts": .integer(Int64(status.restarts))]
            if let error = status.lastError, kind != .pluginStarted { data["error"] = .string(error) }
            hub.announce(kind, data)
        }
        hub.desk(for: status.id).statusChanged(AdapterStatus(.ok))
    }

    func pluginWentDown(_ plugin: PluginID) { hub.desk(for: plugin).wentDown() }

    private static func event(for state: PluginStatus.State) -> HubEvent.Kind? {
        switch state {
        case .running: .pluginStarted
        case .backoff: .pluginCrashed
        case .quarantined: .pluginQuarantined
        default: nil
        }
    }
}
