import EventLoop
import JSON
import Simulators
import TestSupport
import Testing
import TuyaProtocol

@Suite("A simulated device of the old pairing processes", .timeLimit(.minutes(1)))
struct LegacyHotspotTests {
    @Test("takes one clear datagram, answers nothing, and is a lamp on the LAN then")
    @Loop func udp() async throws {
        let bench = try HotspotBench(30) { $0.habit = .legacyUDP }
        defer { bench.stop() }
        #expect(bench.device.channelAddress == nil)
        let socket = try UDPSocket(bind: .loopback(port: 0), broadcast: true)
        var heard = 0
        socket.onDatagram = { _, _ in heard += 1 }
        let target = bench.device.plan.address.with(port: bench.device.plan.ports.legacy)
        var damaged = try LegacyPairing.datagram(bench.credentials())
        damaged[30] ^= 1
        try socket.send(damaged, to: target)
        await bench.fact.until { bench.events.contains(.request("unheard")) }
        #expect(bench.device.phase == .hotspot)
        for _ in 0..<3 { try socket.send(LegacyPairing.datagram(bench.credentials()), to: target) }
        await bench.device.until { $0.phase == .onLAN }
        #expect(bench.cloud.activations.map(\.secret) == ["w1X2"] && heard == 0)
        #expect(bench.events.count { $0 == .credentials(ssid: "HomeNet", hasToken: true) } == 1)
    }

    @Test("hears broadcasts, too")
    @Loop func broadcast() async throws {
        let bench = try HotspotBench(31) { plan in
            plan.habit = .legacyUDP
            plan.announcementTarget = SocketAddress(ipv4: 0x7FFF_FFFF, port: 0)
        }
        defer { bench.stop() }
        let socket = try UDPSocket(bind: .loopback(port: 0), broadcast: true)
        let target = SocketAddress(ipv4: 0x7FFF_FFFF, port: bench.device.plan.ports.legacy)
        try socket.send(LegacyPairing.datagram(bench.credentials()), to: target)
        await bench.device.until { $0.phase == .onLAN }
    }

    @Test("over TCP: announces itself in clear, takes the network, then the token")
    @Loop func tcp() async throws {
        let bench = try HotspotBench(32) { $0.habit = .legacyTCP }
        defer { bench.stop() }
        let beacon = try #require(await bench.announcement { $0.command == .clearAnnouncement })
        #expect(beacon.gatewayID == bench.device.plan.uuid && beacon.isActivated == false)
        let address = try #require(bench.device.channelAddress)
        let tcp = try await TCPConnection.connect(to: address, deadline: .seconds(10))
        let encoder = try DiscoveryEncoder()
        func frame(_ command: TuyaProtocol.Command, _ body: String) throws -> [UInt8] {
            try encoder.datagram(.clear, command, returnCode: nil, body: [UInt8](body.utf8))
        }
        tcp.write(try frame(LegacyResponder.token, #"{"token":"EUaBcDeFgHw1X2"}"#))
        await bench.fact.until { bench.events.contains(.request("answered")) }
        #expect(bench.device.phase == .hotspot)
        tcp.write(try frame(.legacyCredentials, #"{"ssid":"HomeNet","passwd":"correct horse"}"#))
        tcp.write(try frame(LegacyResponder.token, #"{"token":"EUaBcDeFgHw1X2"}"#))
        await bench.device.until { $0.phase == .onLAN }
        #expect(bench.cloud.activations.map(\.token) == ["aBcDeFgH"])
    }

    @Test("with a security level waits in the home's network, seen without an id, until it is told to go on")
    @Loop func securityLevel() async throws {
        let bench = try HotspotBench(33) { plan in
            plan.habit = .legacyUDP
            plan.securityLevel = 1
        }
        defer { bench.stop() }
        let socket = try UDPSocket(bind: .loopback(port: 0))
        let target = bench.device.plan.address.with(port: bench.device.plan.ports.legacy)
        try socket.send(LegacyPairing.datagram(bench.credentials()), to: target)
        let beacon = try #require(await bench.announcement { $0.securityLevel == 1 })
        #expect(beacon.gatewayID == bench.device.plan.uuid && beacon.isActivated == false)
        #expect(bench.device.phase == .joined && bench.cloud.activations.isEmpty)
        bench.device.confirm()
        await bench.device.until { $0.phase == .onLAN }
    }
}
