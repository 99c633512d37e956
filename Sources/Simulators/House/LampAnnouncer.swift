package import EventLoop
internal import JSON
internal import TuyaProtocol

/// Announces simulated devices over UDP and answers the question "who is there", each device from its own address.
///
/// On loopback a broadcast goes to 127.255.255.255. The socket for broadcast questions is bound to that very address, so
/// that it never takes datagrams away from a gateway that listens on all addresses of the same machine.
@Loop
package final class LampAnnouncer {
    /// Where and how often devices announce themselves.
    package struct Settings: Sendable, Equatable {
        /// The time between two announcements of a device.
        package var interval = Duration.seconds(5)
        /// Where announcements go: a broadcast address, or a single host's.
        package var target = SocketAddress(ipv4: 0x7FFF_FFFF, port: 0)
        package var ports = DiscoveryPorts()

        package init() {}
    }

    /// How many times in an interval some of the devices announce themselves, so that they don't all do it at once.
    private static let turns = 20

    package let settings: Settings
    private let encoder: DiscoveryEncoder
    private let decoder: DiscoveryDecoder
    private var lamps: [(lamp: TuyaLamp, socket: UDPSocket?)] = []
    private var questions: UDPSocket?
    private var timer: LoopTimer?
    private var turn = 0

    package init(_ settings: Settings = Settings()) throws {
        self.settings = settings
        encoder = try DiscoveryEncoder()
        decoder = try DiscoveryDecoder()
    }

    /// Announces these devices from now on, each for the first time within an interval.
    package func start(_ lamps: [TuyaLamp]) throws(LoopError) {
        stop()
        let all = settings.target.with(port: settings.ports.query)
        questions = try UDPSocket(bind: all, reuseAddress: true, reusePort: true)
        questions?.onDatagram = { [weak self] bytes, _ in self?.answer(bytes, only: nil) }
        self.lamps = lamps.map { ($0, socket(of: $0)) }
        timer = LoopTimer(after: settings.interval / Self.turns, every: settings.interval / Self.turns) {
            [weak self] in self?.announceSome()
        }
    }

    package func stop() {
        timer = nil
        questions = nil
        lamps = []
    }

    /// Announces a device at once.
    package func announce(_ lamp: TuyaLamp) {
        guard let index = lamps.firstIndex(where: { $0.lamp === lamp }) else { return }
        announce(at: index)
    }

    /// A socket at the device's address, which hears questions that are sent to it alone.
    private func socket(of lamp: TuyaLamp) -> UDPSocket? {
        let address = lamp.identity.address.with(port: settings.ports.query)
        let socket = try? UDPSocket(bind: address, reuseAddress: true, reusePort: true, broadcast: true)
        socket?.onDatagram = { [weak self, weak lamp] bytes, _ in
            guard let lamp else { return }
            self?.answer(bytes, only: lamp)
        }
        return socket
    }

    private func announceSome() {
        turn = (turn + 1) % Self.turns
        for index in lamps.indices where index % Self.turns == turn { announce(at: index) }
    }

    private func announce(at index: Int) {
        let lamp = lamps[index].lamp
        guard lamp.isListening, lamp.habits.announcesItself else { return }
        let port = lamp.identity.version == .v31 ? settings.ports.clear : settings.ports.encrypted
        send(index, to: settings.target.with(port: port))
    }

    /// Answers a question to the address that it names.
    private func answer(_ bytes: [UInt8], only asked: TuyaLamp?) {
        guard case .request(let question) = decoder.classify(bytes), question.command == .discoveryRequest,
            let text = question.address, let address = SocketAddress(ip: text, port: settings.ports.query)
        else { return }
        for index in lamps.indices {
            let lamp = lamps[index].lamp
            guard asked == nil || asked === lamp, lamp.isListening, lamp.habits.answersDiscovery else { continue }
            send(index, to: address)
        }
    }

    private func send(_ index: Int, to address: SocketAddress) {
        let lamp = lamps[index].lamp
        // A device that has moved announces itself from its new address.
        if lamps[index].socket?.address.ip != lamp.identity.address.ip { lamps[index].socket = socket(of: lamp) }
        guard let datagram = try? encoder.announcement(version: lamp.identity.version, fields: fields(of: lamp)) else {
            return
        }
        try? lamps[index].socket?.send(datagram, to: address)
    }

    private func fields(of lamp: TuyaLamp) -> JSONObject {
        let identity = lamp.identity
        var fields: JSONObject = [
            "ip": .string(identity.address.ip), "gwId": .string(identity.id), "active": 2,
            // The vendor's own spelling.
            "ablilty": 0,
            "encrypt": .bool(identity.version != .v31), "productKey": .string(lamp.product.productKey),
            "version": .string(identity.version.text),
        ]
        switch identity.version {
        case .v34:
            fields["token"] = true
            fields["wf_cfg"] = true
        case .v35:
            fields["uuid"] = .string(identity.uuid)
            fields["sl"] = 0
        default: break
        }
        return fields
    }
}
