import EventLoop
import JSON
import Simulators
import Testing
import TuyaProtocol

@Suite("Announcements of simulated lamps", .timeLimit(.minutes(1)))
struct LampDiscoveryTests {
    /// Listens where a gateway would, on ports of its own.
    @Loop
    private final class Ear {
        let settings: LampAnnouncer.Settings
        private let decoder: DiscoveryDecoder
        private var sockets: [UDPSocket] = []
        private var heard: [(beacon: Beacon, port: UInt16, source: SocketAddress)] = []
        private var waiter: CheckedContinuation<Void, Never>?

        init() throws {
            decoder = try DiscoveryDecoder()
            var settings = LampAnnouncer.Settings()
            settings.interval = .milliseconds(100)
            sockets = try (0..<3).map { _ in
                try UDPSocket(bind: .anyIPv4(port: 0), reuseAddress: true, reusePort: true, broadcast: true)
            }
            settings.ports.clear = sockets[0].address.port
            settings.ports.encrypted = sockets[1].address.port
            settings.ports.query = sockets[2].address.port
            self.settings = settings
            for socket in sockets {
                let port = socket.address.port
                socket.onDatagram = { [weak self] bytes, source in self?.hear(bytes, port, source) }
            }
        }

        private func hear(_ bytes: [UInt8], _ port: UInt16, _ source: SocketAddress) {
            guard case .device(let beacon) = decoder.classify(bytes) else { return }
            heard.append((beacon, port, source))
            waiter?.resume()
            waiter = nil
        }

        func next(from id: String) async -> (beacon: Beacon, port: UInt16, source: SocketAddress) {
            while true {
                if let index = heard.firstIndex(where: { $0.beacon.gatewayID == id }) { return heard.remove(at: index) }
                heard = []
                await withCheckedContinuation { waiter = $0 }
            }
        }

        func ask(_ target: SocketAddress) throws {
            let question = try DiscoveryEncoder().request(address: "127.0.0.1")
            try sockets[2].send(question, to: target.with(port: settings.ports.query))
        }
    }

    private static func plan(_ version: ProtocolVersion, _ firstAddress: UInt32) -> HousePlan {
        var plan = HousePlan()
        plan.count = 2
        plan.versions = [version]
        plan.firstAddress = SocketAddress(ipv4: firstAddress, port: 6668)
        return plan
    }

    @Test(
        "come from the device's own address, on the port of its version",
        arguments: [ProtocolVersion.v31, .v33, .v34],
        [0x7F0A_0101]
    )
    @Loop
    func announcements(version: ProtocolVersion, base: UInt32) async throws {
        let ear = try Ear()
        let first = base + UInt32(ProtocolVersion.supported.firstIndex(of: version) ?? 0) * 16
        let house = try TuyaLampHouse(Self.plan(version, first), beacons: ear.settings)
        try house.start()
        defer { house.stop() }
        let heard = await ear.next(from: house.lamps[1].identity.id)
        #expect(heard.source.ip == house.lamps[1].identity.address.ip)
        #expect(heard.port == (version == .v31 ? ear.settings.ports.clear : ear.settings.ports.encrypted))
        #expect(heard.beacon.version == version)
        #expect(heard.beacon.productKey == house.lamps[1].product.productKey)
    }

    @Test("of 3.5 are answers to a question, broadcast or to one device")
    @Loop
    func questions() async throws {
        let ear = try Ear()
        let house = try TuyaLampHouse(Self.plan(.v35, 0x7F0A_0201), beacons: ear.settings)
        try house.start()
        defer { house.stop() }
        try ear.ask(ear.settings.target)
        for lamp in house.lamps {
            let heard = await ear.next(from: lamp.identity.id)
            #expect(heard.port == ear.settings.ports.query)
            #expect(heard.beacon.uuid == lamp.identity.uuid)
        }
        try ear.ask(house.lamps[0].identity.address)
        let heard = await ear.next(from: house.lamps[0].identity.id)
        #expect(heard.source.ip == house.lamps[0].identity.address.ip)
    }

    @Test("follow a device to its new address")
    @Loop
    func move() async throws {
        let ear = try Ear()
        let house = try TuyaLampHouse(Self.plan(.v33, 0x7F0A_0301), beacons: ear.settings)
        try house.start()
        defer { house.stop() }
        let lamp = house.lamps[0]
        _ = await ear.next(from: lamp.identity.id)
        try lamp.move(to: SocketAddress(ipv4: 0x7F0A_03F0, port: 6668))
        house.announcer?.announce(lamp)
        var source = ""
        while source != "127.10.3.240" { source = await ear.next(from: lamp.identity.id).source.ip }
    }
}
