import EventLoop
import TuyaProtocol

/// The sockets of a device in its hotspot: serves one connection, announces the device, listens for datagrams.
@Loop
final class HotspotDoor {
    /// Gets the bytes of a record, or of a segment where nothing is encrypted.
    var onBytes: (@Loop ([UInt8]) -> Void)?
    /// Gets datagrams of the old process.
    var onDatagram: (@Loop ([UInt8]) -> Void)?
    var onEvent: (@Loop (HotspotEvent) -> Void)?
    /// Where connections are accepted; nil where none are, or while the hotspot is down.
    var address: SocketAddress? { listener?.address }

    private let plan: HotspotPlan
    private let key: HotspotKey
    private var listener: TCPListener?
    private var current: HotspotLink?
    /// Connected while another was served; they get their turn when it ends.
    private var waiting: [HotspotLink] = []
    /// Connections that the hotspot took with it: open, and dead.
    private var ghosts: [HotspotLink] = []
    private var legacy: [UDPSocket] = []
    private var announcements: UDPSocket?
    private var timer: LoopTimer?

    init(_ plan: HotspotPlan) throws {
        self.plan = plan
        key = try plan.pincode.map { try HotspotKey.pin($0, uuid: plan.uuid) } ?? .fixed
    }

    // MARK: Opening and closing

    /// - Parameter announcement: what is sent every interval; nil for a device that does not announce itself.
    func open(announcement: @escaping @Loop () -> [UInt8]?) throws(LoopError) {
        close()
        switch plan.habit {
        case .legacyUDP:
            legacy = [try socket(at: plan.address)]
            // Broadcasts come to the address that they are sent to.
            if let all = try? socket(at: plan.announcementTarget) { legacy.append(all) }
        case .apPlus, .legacyTCP:
            let port = plan.pincode == nil ? plan.ports.channel : plan.ports.pincode
            listener = try TCPListener(bind: plan.address.with(port: port)) { [weak self] tcp in
                self?.accept(HotspotLink(tcp))
            }
        }
        try announce(announcement)
    }

    /// Closes everything, connections with it.
    func close() {
        shut()
        for link in ghosts + waiting { link.close() }
        current?.close()
        (ghosts, waiting, current) = ([], [], nil)
    }

    /// Goes off the air: no more is said on connections, nor are they ended.
    func vanish() {
        shut()
        ghosts += waiting + (current.map { [$0] } ?? [])
        for ghost in ghosts { ghost.abandon() }
        (waiting, current) = ([], nil)
    }

    private func shut() {
        timer = nil
        announcements = nil
        for socket in legacy { socket.close() }
        legacy = []
        listener?.close()
        listener = nil
    }

    private func socket(at address: SocketAddress) throws(LoopError) -> UDPSocket {
        let socket = try UDPSocket(bind: address.with(port: plan.ports.legacy), reuseAddress: true, reusePort: true)
        socket.onDatagram = { [weak self] bytes, _ in self?.onDatagram?(bytes) }
        return socket
    }

    private func announce(_ announcement: @escaping @Loop () -> [UInt8]?) throws(LoopError) {
        let isNew = plan.habit == .apPlus
        let port = isNew ? plan.ports.announcement : plan.ports.clearAnnouncement
        let target = plan.announcementTarget.with(port: port)
        let socket = try announcingSocket(port: port)
        announcements = socket
        let send: @Loop () -> Void = {
            if let bytes = announcement() { try? socket.send(bytes, to: target) }
        }
        timer = LoopTimer(after: .zero, every: plan.announcementInterval, send)
    }

    /// Devices announce themselves from the port that they announce to; on a machine where somebody keeps it for
    /// himself, any other does.
    private func announcingSocket(port: UInt16) throws(LoopError) -> UDPSocket {
        if let socket = try? UDPSocket(
            bind: plan.address.with(port: port),
            reuseAddress: true,
            reusePort: true,
            broadcast: true
        ) {
            return socket
        }
        return try UDPSocket(bind: plan.address.with(port: 0), broadcast: true)
    }

    // MARK: Connections

    func send(_ bytes: [UInt8]) { current?.send(bytes) }

    private func accept(_ link: HotspotLink) {
        onEvent?(.connected(from: link.address))
        guard let current else { return serve(link) }
        guard current.isEstablished else {
            // The one thread of the device is in a handshake, for as long as it takes.
            waiting.append(link)
            return
        }
        current.close()
        onEvent?(.disconnected("replaced"))
        serve(link)
    }

    private func serve(_ link: HotspotLink) {
        current = link
        link.onEstablished = { [weak self] in self?.onEvent?(.channel) }
        link.onBytes = { [weak self] bytes in self?.onBytes?(bytes) }
        link.onClose = { [weak self, weak link] reason in self?.ended(link, reason) }
        if plan.habit == .legacyTCP {
            link.beginClear()
        } else if plan.startsHandshake {
            link.beginTLS(key, plan.fragmentLength)
        } else {
            link.beginNothing()
        }
    }

    private func ended(_ link: HotspotLink?, _ reason: String) {
        guard let current, current === link else { return }
        self.current = nil
        onEvent?(.disconnected(reason))
        guard !waiting.isEmpty else { return }
        serve(waiting.removeFirst())
    }
}
