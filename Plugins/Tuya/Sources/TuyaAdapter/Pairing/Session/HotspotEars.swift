import EventLoop
import HomeModel
import TuyaProtocol

/// Listens in a device's hotspot: for announcements of the new process, and for those of old firmware.
@Loop
final class HotspotEars {
    private let decoder: DiscoveryDecoder
    private var sockets: [UDPSocket] = []
    private let heard: @Loop (DiscoveryMessage, SocketAddress) -> Void

    /// Opens both ports on the hotspot's interface; a port that is taken is done without.
    init(
        _ place: WiFiPlace,
        ports: PairingPorts,
        heard: @escaping @Loop (DiscoveryMessage, SocketAddress) -> Void
    ) throws(TuyaProtocolError) {
        decoder = try DiscoveryDecoder()
        self.heard = heard
        for port in Set([ports.announcements, ports.oldAnnouncements]) {
            guard
                let socket = try? UDPSocket(
                    bind: .anyIPv4(port: port),
                    reuseAddress: true,
                    reusePort: true,
                    broadcast: true,
                    interface: place.interface
                )
            else { continue }
            socket.onDatagram = { [weak self] bytes, source in self?.receive(bytes, source) }
            sockets.append(socket)
        }
    }

    /// Ports that are listened on.
    var ports: [UInt16] { sockets.map(\.address.port) }

    func close() {
        for socket in sockets { socket.close() }
        sockets = []
    }

    private func receive(_ bytes: [UInt8], _ source: SocketAddress) {
        let message = decoder.classify(bytes)
        if case .drop = message { return }
        heard(message, source)
    }
}
