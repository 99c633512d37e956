import DeviceInterface
import EventLoop
import HomeModel
import JSON
import Simulators
import Testing
import TuyaAdapter
import TuyaProtocol

@Suite("Many lamps", .timeLimit(.minutes(2)), .serialized)
@Loop
struct ManyLampsTests {
    @Test("five hundred lamps that drop together are all back soon, and not in one instant")
    func allDropped() async throws {
        DescriptorLimit.raise()
        var plan = HousePlan()
        plan.count = 500
        plan.versions = [.v33, .v34, .v35]
        // A network of its own, so that other tests' lamps do not stand in the way.
        let probe = try TCPListener(bind: .loopback(port: 0)) { _ in }
        plan.firstAddress = SocketAddress(ipv4: 0x7F20_0001, port: probe.address.port)
        let house = try TuyaLampHouse(plan)
        try house.start()
        defer { house.stop() }
        var devices: [JSON] = []
        for lamp in house.lamps { devices.append(.object(lamp.entry())) }
        let rig = try await AdapterRig([
            "devices": .array(devices), "discovery": ["enabled": false], "set_pause_ms": 0,
            "timing": ["good_session_ms": 0, "negotiation_pause_ms": 0],
        ])
        rig.host.keepsReports = false
        await rig.host.until { $0.onlineCount == 500 }

        var moments: [MonotonicTime] = []
        for lamp in house.lamps {
            lamp.onEvent = { _, event in
                if case .connected = event { moments.append(.now) }
            }
        }
        let dropped = Loop.now
        for lamp in house.lamps { lamp.drop() }
        await rig.host.until { $0.onlineCount == 0 }
        await rig.host.until { $0.onlineCount == 500 }
        let back = Loop.now - dropped
        print("500 lamps back after", back)
        #expect(back < .seconds(5))
        // No herd: the quick retries are spread over half a second.
        let busiest =
            moments.map { start in moments.count { $0 >= start && $0 - start < .milliseconds(20) } }.max() ?? 0
        #expect(moments.count >= 500 && busiest < 250, "\(busiest) connections within 20 ms")
        await rig.adapter.stop()
        probe.close()
    }
}
