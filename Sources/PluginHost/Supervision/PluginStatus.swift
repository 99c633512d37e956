package import HomeModel

/// How a plugin is, as doors show it.
package struct PluginStatus: Sendable, Equatable {
    /// The states of a plugin.
    package enum State: String, Sendable {
        /// Its process runs and is being initialized.
        case starting
        /// All is well.
        case running
        /// It runs, and says that some of it does not work.
        case degraded
        /// A person must do something, such as correct a password.
        case needsUser = "needs_user"
        /// It crashed and will be started again.
        case backoff
        /// It crashed too often and is tried only now and then.
        case quarantined
        /// It was stopped.
        case stopped
        /// It cannot be started: no such plugin, or not one for this gateway.
        case broken

        /// Whether its adapter can be called.
        package var isUp: Bool { self == .running || self == .degraded || self == .needsUser }
    }

    /// Which plugin.
    package var id: PluginID
    /// What people call it.
    package var name: String
    /// Its version, from the manifest.
    package var version: String
    /// How it is.
    package var state: State
    /// One sentence for a person; empty where all is well.
    package var detail = ""
    /// How often it was started again after a crash, since the gateway started.
    package var restarts = 0
    /// Why it last crashed or failed to start.
    package var lastError: String?
    /// When it came into this state.
    package var since: Timestamp
    /// Its process, while there is one.
    package var pid: Int32?
}
