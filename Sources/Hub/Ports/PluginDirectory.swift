package import DeviceInterface
package import EventLoop
package import HomeModel
package import JSON

/// The running plugins, as the hub needs them; the plugin host stands behind it.
@Loop
package protocol PluginDirectory: AnyObject {
    /// The adapter of a plugin; nil while it is not running.
    func adapter(for plugin: PluginID) -> (any DeviceAdapter)?

    /// All plugins that are configured or found, by id.
    var summaries: [PluginSummary] { get }

    /// The ways in which a plugin brings devices in, as its manifest lists them; none for a plugin that is not there.
    func pairingMethods(of plugin: PluginID) -> [PairingMethod]

    /// Stops and starts one plugin, without touching the others.
    ///
    /// - Throws: `plugin_not_found`.
    func reload(_ plugin: PluginID) async throws(CommandError)

    /// The newest lines of a plugin's log and, with `frames`, of its wire; oldest first, redacted.
    ///
    /// - Throws: `plugin_not_found`.
    func recording(of plugin: PluginID, limit: Int) throws(CommandError) -> [JSON]
}

/// How a plugin is.
package struct PluginSummary: Sendable, Equatable {
    package var id: PluginID
    package var name: String
    package var version: String
    /// `starting`, `running`, `degraded`, `needs_user`, `backoff`, `quarantined`, `stopped` or `broken`.
    package var state: String
    /// One sentence for a person; empty where all is well.
    package var detail: String
    /// How often it was started again after a crash.
    package var restarts: Int
    package var lastError: String?
    package var since: Timestamp
    package var pid: Int32?

    package init(
        id: PluginID,
        name: String,
        version: String,
        state: String,
        detail: String = "",
        restarts: Int = 0,
        lastError: String? = nil,
        since: Timestamp,
        pid: Int32? = nil
    ) {
        self.id = id
        self.name = name
        self.version = version
        self.state = state
        self.detail = detail
        self.restarts = restarts
        self.lastError = lastError
        self.since = since
        self.pid = pid
    }

    /// `{"id","name","version","state","detail"?,"restarts","last_error"?,"since","devices"}`.
    package func json(devices: Int) -> JSONObject {
        var object: JSONObject = ["id": .string(id.text), "name": .string(name), "version": .string(version)]
        object["state"] = .string(state)
        if !detail.isEmpty { object["detail"] = .string(detail) }
        object["restarts"] = .integer(Int64(restarts))
        if let lastError { object["last_error"] = .string(lastError) }
        object["since"] = .string(since.description)
        object["devices"] = .integer(Int64(devices))
        return object
    }
}
