package import DeviceInterface
package import EventLoop
package import HomeModel
package import Log
package import PluginWire

/// The plugins of the gateway: found, started, supervised, and reached through their adapters.
@Loop
package final class PluginHost {
    private let settings: PluginHostSettings
    private unowned let delegate: any PluginHostDelegate
    private let log: Log
    private var supervisors: [PluginID: PluginSupervisor] = [:]
    /// Plugins that are wanted and cannot be started.
    private var broken: [PluginID: PluginStatus] = [:]
    private var reloading: Set<PluginID> = []
    private var isStopping = false

    /// Makes a host that runs nothing yet.
    ///
    /// - Parameter delegate: must outlive the host.
    package init(settings: PluginHostSettings, delegate: any PluginHostDelegate, log: Log) {
        self.settings = settings
        self.delegate = delegate
        self.log = log
    }

    /// Finds and starts plugins, all at the same time; returns when they are on their way.
    ///
    /// One that is missing or broken does not keep the others from starting; its status says why.
    package func start(_ plugins: [PluginID]) async {
        let catalog = await search()
        for fault in catalog.broken {
            log.warning("a plugin folder is passed over", ["folder": "\(fault.folder)", "reason": "\(fault.reason)"])
        }
        for id in plugins where supervisors[id] == nil && !isStopping { launch(id, catalog) }
    }

    /// Stops all plugins at the same time; returns when all their processes are gone.
    package func stop() async {
        isStopping = true
        let stops = supervisors.values.map { supervisor in Task.immediate { @Loop in await supervisor.stop() } }
        for stop in stops { await stop.value }
    }

    /// Stops one plugin, reads its manifest again and starts it, without touching the others.
    ///
    /// - Throws: `plugin_not_found`, or `conflict` while it is being reloaded already.
    package func reload(_ plugin: PluginID) async throws(CommandError) {
        guard supervisors[plugin] != nil || broken[plugin] != nil else { throw Self.unknown(plugin) }
        guard reloading.insert(plugin).inserted else {
            throw CommandError(.conflict, "The plugin \(plugin) is being reloaded already.", retryAfterMs: 1000)
        }
        defer { reloading.remove(plugin) }
        await supervisors[plugin]?.stop()
        let catalog = await search()
        guard !isStopping else { return }
        launch(plugin, catalog)
    }

    /// The adapter of a plugin; nil while it cannot be called.
    package func adapter(for plugin: PluginID) -> (any DeviceAdapter)? {
        guard let supervisor = supervisors[plugin], supervisor.status.state.isUp else { return nil }
        return supervisor.adapter
    }

    /// How the plugins are, by id.
    package var statuses: [PluginStatus] {
        (supervisors.values.map(\.status) + broken.values).sorted { $0.id < $1.id }
    }

    /// The manifest of a plugin that was started, whether it runs or not, for example for its ways of pairing.
    package func manifest(of plugin: PluginID) -> PluginManifest? { supervisors[plugin]?.plugin.manifest }

    private static func missing(_ folders: [String]) -> String {
        folders.isEmpty
            ? "No folder with plugins was found; plugin_directories says where they are."
            : "There is no such plugin in \(folders.joined(separator: ", "))."
    }

    /// The newest log lines and frames of a plugin, oldest first, without secrets.
    ///
    /// - Throws: `plugin_not_found`.
    package func recording(of plugin: PluginID, limit: Int) throws(CommandError) -> [FlightRecorder.Line] {
        if let supervisor = supervisors[plugin] { return supervisor.recorder.lines(limit: limit) }
        guard broken[plugin] != nil else { throw Self.unknown(plugin) }
        return []
    }

    private func search() async -> PluginCatalog {
        let (folders, executables) = (settings.folders, settings.executables)
        // Cannot throw: nothing in the search does.
        let found = try? await Loop.offload { PluginCatalog.search(folders: folders, executables: executables) }
        return found ?? PluginCatalog()
    }

    private func launch(_ id: PluginID, _ catalog: PluginCatalog) {
        let before = supervisors.removeValue(forKey: id)
        broken[id] = nil
        guard let plugin = catalog.plugin(id) else {
            let reason = catalog.broken.first { $0.id == id }?.reason
            return refuse(id, reason ?? Self.missing(settings.folders))
        }
        if !plugin.manifest.unknownKeys.isEmpty {
            let keys = plugin.manifest.unknownKeys.joined(separator: ", ")
            log.warning("unknown keys in plugin.json", ["plugin": "\(id)", "keys": "\(keys)"])
        }
        let supervisor = PluginSupervisor(
            plugin,
            recorder: before?.recorder,
            restarts: before?.status.restarts ?? 0,
            settings: settings,
            delegate: delegate,
            log: log
        )
        supervisors[id] = supervisor
        supervisor.start()
    }

    private func refuse(_ id: PluginID, _ reason: String) {
        log.error("plugin cannot be started", ["plugin": "\(id)", "reason": "\(reason)"])
        let status = PluginStatus(
            id: id,
            name: id.text,
            version: "",
            state: .broken,
            detail: reason,
            lastError: reason,
            since: .now
        )
        broken[id] = status
        delegate.pluginChanged(status)
    }

    private static func unknown(_ plugin: PluginID) -> CommandError {
        CommandError(.pluginNotFound, "No plugin with id \(plugin).")
    }
}
