import Crypto
import DeviceInterface
import EventLoop
import Glibc
import HomeModel
import JSON
import Simulators
import Testing
import TuyaAdapter
import TuyaProtocol

/// A simulated device in its hotspot, a radio, a cloud and an adapter, all on loopback addresses and ports of their own.
@Loop
final class HotspotHome {
    private static var count = 0

    let lamp: HotspotLamp
    let cloud = FakeCloud()
    let radio: FakeRadio
    let pairing: PairingRig
    let id = VendorID(FakeCloud.id)
    /// When the device was told the network, the last time.
    private(set) var toldAt: MonotonicTime?
    private(set) var events: [HotspotEvent] = []
    private let changes = Changes()

    /// Lets whoever waits look again.
    @Loop
    private final class Changes {
        weak var host: RecordingHost?
    }

    init(
        hasCloud: Bool = true,
        timing: JSONObject = [:],
        server: CloudServer? = nil,
        _ prepare: (inout HotspotPlan) -> Void = { _ in }
    ) async throws {
        Self.count += 1
        let (number, process) = (Self.count, Int(getpid()))
        let port = UInt16(20_000 + process % 800 * 48 + number % 12 * 4)
        let network = "127.\(64 + process % 100).\(number % 250)"
        var plan = HotspotPlan()
        plan.address = try #require(SocketAddress(ip: network + ".1", port: 0))
        plan.lanAddress = try #require(SocketAddress(ip: network + ".2", port: 6668))
        plan.announcementTarget = .loopback(port: 0)
        plan.announcementInterval = .milliseconds(100)
        plan.ports.announcement = port
        plan.ports.clearAnnouncement = port + 1
        plan.joinTime = .milliseconds(200)
        plan.refusalReturn = .milliseconds(200)
        plan.beacons.target = .loopback(port: 0)
        plan.beacons.ports.encrypted = port + 2
        plan.beacons.ports.clear = port + 2
        plan.beacons.ports.query = port + 3
        prepare(&plan)
        let cloud = cloud
        lamp = try HotspotLamp(
            plan,
            activation: HotspotActivation { activation in
                if let server { return await server.result(of: activation) }
                return await cloud.activate(activation)
            }
        )
        let lamp = lamp
        radio = FakeRadio(
            place: WiFiPlace(interface: "lo", address: "127.0.0.1", prefix: 8, gateway: plan.address.ip)
        ) {
            let home = WiFiSighting(ssid: "HomeNet", signal: -40, frequency: 2437, isSecured: true)
            let hotspot = WiFiSighting(ssid: lamp.plan.ssid, signal: -50, frequency: 2437, isSecured: false)
            return lamp.isHotspotUp ? [home, hotspot] : [home]
        }
        var times = quickPairing["timing"]?.objectValue ?? [:]
        for (key, value) in timing { times[key] = value.isNull ? nil : value }
        let config: JSON = [
            "discovery": ["ports": [JSON(Int(port) + 2)]], "timing": quickTiming,
            "pairing": [
                "ports": [
                    "announcements": JSON(Int(port)), "old_announcements": JSON(Int(port) + 1), "broadcast": "none",
                ],
                "timing": .object(times),
            ],
        ]
        let account =
            try server.map { try CloudRig.account($0) }
            ?? CloudAccount(
                address: try CloudAddress("http://127.0.0.1:9"),
                clientID: "client",
                secret: SecretKey([1]),
                uid: "user"
            )
        let secrets = hasCloud ? Secrets([account.secretName: account.exposedText]) : Secrets()
        let rig = try await AdapterRig(
            config,
            secrets: secrets,
            makeCloud: { account -> any PairingCloud in
                if server == nil { return cloud }
                return TuyaCloud(account)
            }
        )
        pairing = try PairingRig(rig)
        rig.host.radio = radio
        changes.host = rig.host
        let (adapter, session, changes) = (rig.adapter, pairing.session, changes)
        lamp.onEvent = { [weak self, weak radio] lamp, event in
            self?.note(event)
            if event == .hotspotDown, radio?.joined == lamp.plan.ssid {
                Loop.nextTick { adapter.wifiLost(session, ssid: lamp.plan.ssid) }
            }
            changes.host?.changed()
        }
        try lamp.start()
    }

    private func note(_ event: HotspotEvent) {
        events.append(event)
        if case .credentials = event { toldAt = .now }
    }

    var host: RecordingHost { pairing.host }

    func stop() async {
        await pairing.rig.adapter.stop()
        lamp.stop()
    }

    /// The device is there and does what it is told.
    func expectControl() async throws {
        #expect(host.descriptions[id]?.name == "Desk lamp")
        #expect(host.secrets[id]?["local_key"] == FakeCloud.key)
        await host.untilOnline(id)
        try await pairing.rig.confirm(id, ["power": false])
    }

    /// Nothing is left open in the hotspot, and the radio is home.
    func expectClosed() {
        #expect(radio.joined == nil)
    }

    static func with(
        hasCloud: Bool = true,
        timing: JSONObject = [:],
        server: CloudServer? = nil,
        _ prepare: (inout HotspotPlan) -> Void = { _ in },
        _ body: @Loop (HotspotHome) async throws -> Void
    ) async throws {
        let home = try await HotspotHome(hasCloud: hasCloud, timing: timing, server: server, prepare)
        do {
            try await body(home)
        } catch {
            await home.stop()
            throw error
        }
        await home.stop()
    }
}

extension CloudServer {
    /// What a device gets for its token.
    fileprivate func result(of activation: CloudActivation) -> Result<
        CloudActivation.Result, HotspotActivation.Failure
    > {
        do throws(CloudActivation.Refusal) {
            return .success(try activate(activation))
        } catch {
            return .failure(.refused("\(error)"))
        }
    }
}
