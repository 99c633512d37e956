/// How a TCP connection behaves.
package struct TCPOptions: Sendable, Equatable {
    /// Whether small writes go out at once instead of waiting for acknowledgements (`TCP_NODELAY`).
    package var noDelay = true
    /// Silence after which the system probes the peer, in whole seconds; three lost probes, a third of this apart but
    /// at least a second, break the connection.
    ///
    /// nil for no probes.
    package var keepAlive: Duration?
    /// The network interface that carries the connection, whatever the routes say (`SO_BINDTODEVICE`).
    package var interface: String?

    /// Makes options with the given deviations from the defaults.
    package init(noDelay: Bool = true, keepAlive: Duration? = nil, interface: String? = nil) {
        self.noDelay = noDelay
        self.keepAlive = keepAlive
        self.interface = interface
    }
}
