import EventLoop
import TuyaProtocol

/// Listens for devices on the LAN and, while asked to, calls for those that answer only when called.
@Loop
final class DiscoveryService {
    /// A port that could not be opened; the search goes on without it.
    struct Trouble: Equatable {
        var port: UInt16
        var reason: String
    }

    /// The port on which devices answer calls.
    private static let queryPort: UInt16 = 7000

    private let settings: DiscoverySettings
    private let interval: Duration
    private let found: @Loop (DiscoveryMessage, SocketAddress) -> Void
    private let decoder: DiscoveryDecoder
    private let encoder: DiscoveryEncoder
    private var sockets: [UDPSocket] = []
    private var timer: LoopTimer?
    private(set) var troubles: [Trouble] = []
    /// Datagrams that meant nothing, for diagnostics.
    private(set) var dropped = 0

    /// - Parameters:
    ///   - interval: time between two calls.
    ///   - found: gets each message that means something, with the address that it came from.
    init(
        _ settings: DiscoverySettings,
        interval: Duration,
        found: @escaping @Loop (DiscoveryMessage, SocketAddress) -> Void
    ) throws(TuyaProtocolError) {
        self.settings = settings
        self.interval = interval
        self.found = found
        decoder = try DiscoveryDecoder()
        encoder = try DiscoveryEncoder()
    }

    /// Opens the ports.
    func start() {
        for port in settings.ports {
            do throws(LoopError) {
                // Other clients of the same devices may run on this machine.
                let socket = try UDPSocket(
                    bind: .anyIPv4(port: port),
                    reuseAddress: true,
                    reusePort: true,
                    broadcast: true
                )
                socket.onDatagram = { [weak self] bytes, source in self?.receive(bytes, source) }
                sockets.append(socket)
            } catch {
                troubles.append(Trouble(port: port, reason: "\(error)"))
            }
        }
    }

    func stop() {
        timer = nil
        for socket in sockets { socket.close() }
        sockets = []
    }

    /// Whether devices are called.
    var isCalling: Bool {
        get { timer != nil }
        set {
            guard newValue != isCalling else { return }
            guard newValue, let socket = callSocket else {
                timer = nil
                return
            }
            call(on: socket)
            timer = LoopTimer(after: interval, every: interval) { [weak self] in self?.call(on: socket) }
        }
    }

    private var callSocket: UDPSocket? {
        sockets.first { $0.address.port == Self.queryPort } ?? sockets.last
    }

    private func receive(_ bytes: [UInt8], _ source: SocketAddress) {
        let message = decoder.classify(bytes)
        switch message {
        case .device, .hotspotDevice: found(message, source)
        // Our own calls and those of other clients come back to us.
        case .request: break
        case .drop: dropped &+= 1
        }
    }

    /// Devices answer to the address in the call, so that each interface needs a call of its own.
    private func call(on socket: UDPSocket) {
        guard let interfaces = try? NetworkInterface.all() else { return }
        let port = socket.address.port
        for interface in interfaces where isWanted(interface) {
            let own = SocketAddress(ipv4: interface.ipv4, port: 0).ip
            guard let call = try? encoder.request(address: own) else { continue }
            // A broadcast that the system refuses now may be possible at the next call.
            try? socket.send(call, to: SocketAddress(ipv4: interface.broadcast, port: port))
            for target in settings.targets {
                if let address = SocketAddress(ip: target, port: port) { try? socket.send(call, to: address) }
            }
        }
    }

    private func isWanted(_ interface: NetworkInterface) -> Bool {
        interface.isUp && (settings.interfaces.isEmpty || settings.interfaces.contains(interface.name))
    }
}
