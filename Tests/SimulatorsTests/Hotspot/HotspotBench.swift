import EventLoop
import JSON
import Simulators
import TestSupport
import TuyaProtocol

/// A simulated device to be paired, on addresses and ports of its own, with ears where its datagrams go.
@Loop
final class HotspotBench {
    /// Takes every device.
    @Loop
    final class Cloud {
        private(set) var activations: [CloudActivation] = []

        func take(_ activation: CloudActivation) -> Result<CloudActivation.Result, HotspotActivation.Failure> {
            activations.append(activation)
            return .success(
                CloudActivation.Result(deviceID: HotspotBench.id, localKey: HotspotBench.key, name: "Lamp")
            )
        }
    }

    static let id = "bf0123456789abcdefgh"
    static let key = "p'&T=5-4u#Xq!a0Z"

    let device: HotspotLamp
    let fact = Fact()
    /// What was announced, decoded.
    private(set) var announced: [Beacon] = []
    /// Where the last datagram came from.
    private(set) var source: SocketAddress?
    private(set) var events: [HotspotEvent] = []
    let cloud: Cloud
    private var sockets: [UDPSocket] = []

    /// - Parameters:
    ///   - number: tells the addresses of tests apart, 1...250.
    ///   - activation: nil for a cloud that takes everything.
    init(
        _ number: UInt32,
        _ change: (inout HotspotPlan) -> Void = { _ in },
        activation: HotspotActivation? = nil,
        air: Air? = nil
    ) throws {
        var plan = HotspotPlan()
        plan.address = SocketAddress(ipv4: 0x7F4D_0001 + number << 8, port: 0)
        plan.lanAddress = SocketAddress(ipv4: 0x7F4E_0001 + number << 8, port: 0)
        (plan.ports.channel, plan.ports.pincode) = (0, 0)
        plan.announcementTarget = SocketAddress(ipv4: 0x7F00_0001, port: 0)
        plan.announcementInterval = .milliseconds(20)
        plan.beacons.interval = .milliseconds(100)
        plan.beacons.target = SocketAddress(ipv4: 0x7F00_0001, port: 0)
        plan.joinTime = .milliseconds(20)
        plan.refusalReturn = .milliseconds(20)
        sockets = try (0..<3).map { _ in try UDPSocket(bind: .loopback(port: 0), reuseAddress: true, reusePort: true) }
        plan.ports.announcement = sockets[0].address.port
        plan.ports.clearAnnouncement = sockets[1].address.port
        plan.beacons.ports.encrypted = sockets[0].address.port
        plan.beacons.ports.clear = sockets[1].address.port
        plan.beacons.ports.query = sockets[2].address.port
        // Free a moment ago, and at an address that nobody else has.
        plan.ports.legacy = try UDPSocket(bind: plan.address).address.port
        change(&plan)
        let cloud = Cloud()
        self.cloud = cloud
        let takesAll = HotspotActivation { await cloud.take($0) }
        device = try HotspotLamp(plan, activation: activation ?? takesAll, air: air)
        let decoder = try DiscoveryDecoder()
        for socket in sockets {
            socket.onDatagram = { [weak self] bytes, source in
                guard let self else { return }
                self.source = source
                switch decoder.classify(bytes) {
                case .device(let beacon), .hotspotDevice(let beacon): announced.append(beacon)
                default: return
                }
                fact.changed()
            }
        }
        device.onEvent = { [weak self] _, event in
            self?.events.append(event)
            self?.fact.changed()
        }
        try device.start()
    }

    func stop() { device.stop() }

    /// The next announcement that fits.
    func announcement(_ fits: @escaping (Beacon) -> Bool) async -> Beacon? {
        announced = []
        await fact.until { self.announced.contains(where: fits) }
        return announced.first(where: fits)
    }

    func hub(_ key: HotspotKey = .fixed) async throws -> HotspotHub {
        guard let address = device.channelAddress else { throw LoopError.closed }
        return try await HotspotHub.connect(to: address, key: key)
    }

    func credentials(
        _ ssid: String = "HomeNet",
        _ password: String = "correct horse"
    ) throws -> PairingCredentials {
        try PairingCredentials(ssid: ssid, password: password, token: PairingToken("EUaBcDeFgHw1X2"))
    }
}
