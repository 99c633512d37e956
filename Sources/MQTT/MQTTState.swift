/// Where a client stands.
package enum MQTTState: Sendable, Equatable {
    /// Not started, or stopped.
    case stopped
    /// On the way to the broker.
    case connecting(MQTTVersion)
    /// The broker has accepted us.
    case connected(MQTTConnectionInfo)
    /// There is no connection; a new attempt follows after `retryIn`.
    case disconnected(reason: MQTTError, retryIn: Duration)

    /// Whether messages can be sent.
    package var isConnected: Bool {
        if case .connected = self { true } else { false }
    }
}
