import DeviceInterface
import EventLoop
import HomeModel
import JSON
import Simulators
import Testing
import TuyaAdapter
import TuyaProtocol

@Suite("Finding devices", .timeLimit(.minutes(1)))
@Loop
struct DiscoveryTests {
    /// UDP ports that nobody else uses.
    private func freePorts() throws -> DiscoveryPorts {
        var ports = DiscoveryPorts()
        let sockets = try (0..<3).map { _ in try UDPSocket(bind: .anyIPv4(port: 0)) }
        ports.clear = sockets[0].address.port
        ports.encrypted = sockets[1].address.port
        ports.query = sockets[2].address.port
        for socket in sockets { socket.close() }
        return ports
    }

    /// Runs `body` with a lamp that announces itself, and an adapter that knows its id and key.
    private func withAnnouncedLamp(
        _ version: ProtocolVersion,
        device: JSONObject = [:],
        configures: Bool = true,
        _ body: @Loop (TuyaLamp, LampAnnouncer, AdapterRig, VendorID) async throws -> Void
    ) async throws {
        let ports = try freePorts()
        let identity = LampIdentity(
            id: "bf0123456789abcdefgh",
            uuid: "f1e2d3c4b5a69788",
            localKey: "p'&T=5-4u#Xq!a0Z",
            version: version,
            // Not 127.0.0.1, which is the gateway's: simulated lamps listen for calls at their own addresses.
            address: SocketAddress(ipv4: 0x7F00_0002, port: 0),
            name: "Desk lamp"
        )
        let lamp = TuyaLamp(identity)
        try lamp.start()
        var settings = LampAnnouncer.Settings()
        settings.interval = .milliseconds(100)
        settings.ports = ports
        let announcer = try LampAnnouncer(settings)
        try announcer.start([lamp])
        var extra: JSONObject = ["address": .null, "version": .null]
        for (key, value) in device { extra[key] = value }
        let config: JSON = [
            "devices": configures ? [.object(lamp.entry(extra))] : [],
            "discovery": ["ports": [JSON(Int(ports.clear)), JSON(Int(ports.encrypted)), JSON(Int(ports.query))]],
            "timing": quickTiming, "set_pause_ms": 0,
        ]
        let rig = try await AdapterRig(config)
        try await body(lamp, announcer, rig, VendorID(identity.id))
        await rig.adapter.stop()
        announcer.stop()
        lamp.stop()
    }

    @Test(
        "quirk 18, quirk 20: a device of each version is found with its address and version",
        arguments: ProtocolVersion.supported
    )
    func found(version: ProtocolVersion) async throws {
        try await withAnnouncedLamp(version) { lamp, _, rig, id in
            await rig.host.untilOnline(id)
            let device = try #require(await rig.adapter.diagnostics()["devices"]?[0])
            #expect(device["version"] == .string(version.text))
            #expect(device["address"] == .string(lamp.identity.address.description))
            #expect(rig.host.descriptions[id]?.modelID == lamp.product.productKey)
            try await rig.confirm(id, ["power": false])
        }
    }

    @Test("a device is followed when its address changes", arguments: [ProtocolVersion.v33, .v34, .v35])
    func followed(version: ProtocolVersion) async throws {
        try await withAnnouncedLamp(version) { lamp, announcer, rig, id in
            await rig.host.untilOnline(id)
            let place = try #require(SocketAddress(ip: "127.0.0.77", port: lamp.identity.address.port))
            try lamp.move(to: place)
            announcer.announce(lamp)
            await rig.host.until(id, is: .addressMoved)
            await rig.host.untilOnline(id)
            try await rig.confirm(id, ["power": false])
        }
    }

    @Test("an announced version that nobody speaks is told, not guessed")
    func unsupported() async throws {
        try await withAnnouncedLamp(.v33, configures: true) { lamp, announcer, rig, id in
            announcer.stop()
            let socket = try UDPSocket(bind: .loopback(port: 0))
            let fields: JSONObject = ["gwId": .string(id.text), "version": "3.9", "ip": "127.0.0.1"]
            let beacon = try DiscoveryEncoder().announcement(version: .v33, fields: fields)
            let port = announcer.settings.ports.encrypted
            // The lamp may have announced itself already; the newest beacon counts.
            try socket.send(beacon, to: .loopback(port: port))
            await rig.host.until {
                $0.reasons[id]?.contains { $0 == .unsupportedProtocol || $0 == .protocolChanged } ?? false
            }
            try socket.send(beacon, to: .loopback(port: port))
            await rig.host.until(id, is: .unsupportedProtocol)
        }
    }

    @Test("devices that nobody configured are kept for diagnostics")
    func strangers() async throws {
        try await withAnnouncedLamp(.v34, configures: false) { lamp, _, rig, id in
            await rig.host.until { $0.records.contains { $0.message.contains("nobody has configured") } }
            let found = try #require(await rig.adapter.diagnostics()["discovered"]?[0])
            #expect(found["id"] == .string(id.text))
            #expect(found["version"] == "3.4")
            #expect(found["fields"]?["productKey"] == .string(lamp.product.productKey))
            #expect(lamp.counts.connections == 0)
        }
    }

    @Test("a port that is taken is told, and the search goes on with the others")
    func takenPort() async throws {
        let taken = try UDPSocket(bind: .anyIPv4(port: 0))
        let ports = try freePorts()
        let config: JSON = ["discovery": ["ports": [JSON(Int(taken.address.port)), JSON(Int(ports.encrypted))]]]
        let rig = try await AdapterRig(config)
        let status = try #require(rig.host.statuses.last)
        #expect(status.state == .degraded && status.detail.contains("\(taken.address.port)"))
        let socket = try UDPSocket(bind: .loopback(port: 0))
        let beacon = try DiscoveryEncoder().announcement(version: .v33, fields: ["gwId": "x", "version": "3.3"])
        try socket.send(beacon, to: .loopback(port: ports.encrypted))
        await rig.host.until { !$0.records.filter { $0.metadata["device"] == "x" }.isEmpty }
        await rig.adapter.stop()
        taken.close()
    }

    @Test("quirk 19: our own calls and those of others are passed over, and ten thousand hostile datagrams do no harm")
    func hostile() async throws {
        let ports = try freePorts()
        let config: JSON = ["discovery": ["ports": [JSON(Int(ports.encrypted))]]]
        let rig = try await AdapterRig(config)
        let socket = try UDPSocket(bind: .loopback(port: 0))
        let encoder = try DiscoveryEncoder()
        let target = SocketAddress.loopback(port: ports.encrypted)
        try socket.send(try encoder.request(address: "127.0.0.1"), to: target)
        var random = RandomSource(seed: 5)
        let good = try encoder.announcement(version: .v35, fields: ["gwId": "good", "version": "3.5"])
        for number in 0..<10_000 {
            var bytes =
                number % 2 == 0
                ? good
                : (0..<Int.random(in: 0...200, using: &random)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            if number % 2 == 0 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
            }
            try? socket.send(bytes, to: target)
            if number % 200 == 0 { await Task.yield() }
        }
        // Until it is heard: datagrams may be dropped.
        while rig.host.records.isEmpty {
            try socket.send(good, to: target)
            await Task.yield()
        }
        #expect(rig.host.records.allSatisfy { $0.metadata["device"] == "good" })
        await rig.adapter.stop()
    }

    @Test("the table keeps a bounded number of devices and forgets the one silent longest")
    func bounded() throws {
        var table = DiscoveryTable()
        for number in 0...DiscoveryTable.limit {
            let beacon = Beacon(framing: .classic, command: .announcement, fields: ["gwId": .string("d\(number)")])
            let moment = MonotonicTime(nanoseconds: UInt64(number) * 1000)
            _ = table.note(beacon, from: .loopback(port: 1), isConfigured: false, at: moment)
        }
        #expect(table.ids.count == DiscoveryTable.limit)
        #expect(table["d0"] == nil && table["d1"] != nil)
    }
}
