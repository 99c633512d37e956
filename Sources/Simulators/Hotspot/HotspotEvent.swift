package import EventLoop

/// Something that happened to a simulated device that is to be paired, for logs and tests.
package enum HotspotEvent: Sendable, Equatable {
    case hotspotUp
    case hotspotDown
    case connected(from: SocketAddress)
    /// The handshake with the hub is over.
    case channel
    case disconnected(String)
    /// A request came; the text says what the device made of it.
    case request(String)
    case credentials(ssid: String, hasToken: Bool)
    /// A join ended.
    case joined(JoinOutcome)
    /// The cloud answered, or did not.
    case activated(id: String)
    case refused(String)
    /// The device is on the LAN, controllable.
    case onLAN(SocketAddress)
    case failed(String)
}
