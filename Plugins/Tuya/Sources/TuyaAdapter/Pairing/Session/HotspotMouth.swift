import EventLoop
import HomeModel
import TuyaProtocol

/// Sends datagrams with credentials in a device's hotspot.
@Loop
final class HotspotMouth {
    private let socket: UDPSocket
    private let ports: PairingPorts

    init(_ place: WiFiPlace, ports: PairingPorts) throws(LoopError) {
        self.ports = ports
        socket = try UDPSocket(bind: .anyIPv4(port: 0), broadcast: true, interface: place.interface)
    }

    /// To everyone in the hotspot, and to the device itself; what is refused now may go out a second later.
    func say(_ datagram: [UInt8], to device: String) {
        for target in [ports.broadcast, device] {
            guard let target, let address = SocketAddress(ip: target, port: ports.credentials) else { continue }
            try? socket.send(datagram, to: address)
        }
    }

    func close() { socket.close() }
}
