import EventLoop
import HTTPClient
import JSON
import Simulators
import TLS
import TestSupport
import Testing
import TuyaProtocol

@Suite("A simulated device in its hotspot", .timeLimit(.minutes(1)))
struct HotspotLampTests {
    @Test("announces itself, is asked, told, and is a lamp on the LAN then")
    @Loop func wholeWay() async throws {
        let folder = try TemporaryFolder()
        let air = Air(folder: folder.path)
        let bench = try HotspotBench(1, air: air)
        defer { bench.stop() }
        let beacon = try #require(await bench.announcement { $0.offersHotspotPairing })
        #expect(beacon.uuid == bench.device.plan.uuid && beacon.isActivated == false)
        #expect(bench.source?.ip == bench.device.plan.address.ip)
        #expect(bench.source?.port == bench.device.plan.ports.announcement)
        #expect(air.network("SmartLife-3F2A")?.gateway == bench.device.plan.address.ip)

        let hub = try await bench.hub()
        #expect(hub.connection.offeredSuites == [0xC037, 0x00FF] && hub.connection.recordLimit == 4096)
        let described = try await hub.ask(.hotspotExtension, HotspotRequest.describeDevice.body)
        #expect(try JSON.parse(described.payload)["data"]?["uuid"]?.stringValue == bench.device.plan.uuid)
        let list = try await hub.ask(.hotspotExtension, HotspotRequest.listNetworks(limit: 50).body)
        #expect(WiFiNetwork.list(list.payload)?.map(\.ssid) == ["HomeNet"])
        let answer = try await hub.ask(.hotspotCredentials, bench.credentials().body)
        #expect(answer.returnCode == 0)
        #expect(air.networks().isEmpty && bench.device.channelAddress == nil)

        await bench.device.until { $0.phase == .onLAN }
        #expect(bench.cloud.activations.map(\.token) == ["aBcDeFgH"])
        #expect(bench.cloud.activations.map(\.region) == ["EU"])
        let lamp = try #require(bench.device.lamp)
        #expect(lamp.identity.id == HotspotBench.id && lamp.identity.address.ip == bench.device.plan.lanAddress.ip)
        lamp.habits.takesZeroKeyForNone = false
        #expect(try await LampClient.connect(to: lamp).query()[20] == true)
        let found = try #require(await bench.announcement { $0.gatewayID == HotspotBench.id })
        #expect(found.isActivated == true && found.uuid == bench.device.plan.uuid)
        // The old connection was neither ended nor is it answered.
        #expect(!hub.hasEnded)

        try bench.device.pressReset()
        #expect(bench.device.lamp == nil && air.networks().count == 1)
        _ = try await bench.hub()
    }

    @Test("with a pincode it says nothing, and takes the key of its pincode only")
    @Loop func pincode() async throws {
        let bench = try HotspotBench(2) { $0.pincode = "12345678" }
        defer { bench.stop() }
        await #expect(throws: HotspotHub.Ended.self) { _ = try await bench.hub() }
        let wrong = try HotspotKey.pin("87654321", uuid: bench.device.plan.uuid)
        let error = await #expect(throws: HotspotHub.Ended.self) { _ = try await bench.hub(wrong) }
        #expect(error?.reason == .keysDiffer)
        let hub = try await bench.hub(try HotspotKey.pin("12345678", uuid: bench.device.plan.uuid))
        #expect(hub.connection.peerIdentity == bench.device.plan.uuid)
        #expect(try await hub.ask(.hotspotExtension, HotspotRequest.describeDevice.body).returnCode == 0)
        #expect(bench.announced.isEmpty)
    }

    @Test("a second connection replaces the first")
    @Loop func replaced() async throws {
        let bench = try HotspotBench(3)
        defer { bench.stop() }
        let first = try await bench.hub()
        let second = try await bench.hub()
        #expect(await first.untilEnded() == nil)
        #expect(try await second.ask(.hotspotExtension, HotspotRequest.describeDevice.body).returnCode == 0)
    }

    @Test("a silent connection blocks all others until it is closed")
    @Loop func blocked() async throws {
        let bench = try HotspotBench(4)
        defer { bench.stop() }
        let address = try #require(bench.device.channelAddress)
        let silent = try await TCPConnection.connect(to: address, deadline: .seconds(10))
        let other = try await HotspotHub.begin(to: address)
        await bench.fact.until { bench.events.count { if case .connected = $0 { true } else { false } } == 2 }
        #expect(!other.connection.isEstablished && other.connection.offeredSuites.isEmpty)
        silent.close()
        try await other.untilEstablished()
        #expect(try await other.ask(.hotspotExtension, HotspotRequest.describeDevice.body).returnCode == 0)
    }

    @Test("where it begins no handshake, nothing ever comes")
    @Loop func noHandshake() async throws {
        let bench = try HotspotBench(5) { $0.startsHandshake = false }
        defer { bench.stop() }
        let address = try #require(bench.device.channelAddress)
        let tcp = try await TCPConnection.connect(to: address, deadline: .seconds(10))
        let connection = try TLSConnection(tcp, role: .server { _ in nil })
        let fact = Fact()
        var end: TLSError?
        connection.onClose = {
            end = $0
            fact.changed()
        }
        connection.start(deadline: .milliseconds(60))
        await fact.until { end != nil }
        #expect(end == .timedOut(after: .milliseconds(60)))
    }

    @Test("a scan holds up what is asked behind it, and nothing is lost")
    @Loop func scan() async throws {
        let bench = try HotspotBench(6) { $0.scanTime = .milliseconds(80) }
        defer { bench.stop() }
        let hub = try await bench.hub()
        let start = Loop.now
        try hub.send(.hotspotExtension, HotspotRequest.listNetworks(limit: 5).body)
        try hub.send(.hotspotExtension, HotspotRequest.describeProgress.body)
        #expect(WiFiNetwork.list(try await hub.next().payload) != nil)
        #expect(Loop.now - start >= .milliseconds(80))
        #expect(String(decoding: try await hub.next().payload, as: UTF8.self).contains("netcfg_stat_rpt"))
    }

    @Test("bad credentials leave the hotspot up; the answer to good ones may be lost")
    @Loop func lostAnswer() async throws {
        let bench = try HotspotBench(7) { $0.losesAnswer = true }
        defer { bench.stop() }
        let hub = try await bench.hub()
        #expect(try await hub.ask(.hotspotCredentials, [UInt8]("{}".utf8)).returnCode == -9)
        #expect(bench.device.isHotspotUp)
        try hub.send(.hotspotCredentials, bench.credentials().body)
        await bench.device.until { $0.phase == .onLAN }
        #expect(!hub.hasEnded)
    }

    @Test(
        "a failed join is never heard of, or brings the hotspot back, as the firmware goes",
        arguments: [(JoinOutcome.wrongPassword, 3), (.notFound, 2), (.noLease, 5)]
    )
    @Loop func failedJoin(outcome: JoinOutcome, code: Int) async throws {
        let bench = try HotspotBench(10 + UInt32(code)) { plan in
            plan.networks[0].outcome = outcome
            plan.returnsAfter = .milliseconds(20)
            plan.reportsFailures = true
        }
        defer { bench.stop() }
        let hub = try await bench.hub()
        _ = try await hub.ask(.hotspotCredentials, bench.credentials().body)
        await bench.device.until { $0.lastFailure == code && $0.isHotspotUp }
        let again = try await bench.hub()
        let status = try await again.ask(.hotspotExtension, HotspotRequest.describeProgress.body)
        #expect(try JSON.parse(status.payload)["data"]?["status"]?.intValue == code)

        bench.device.plan.returnsAfter = nil
        _ = try await again.ask(.hotspotCredentials, bench.credentials().body)
        await bench.device.until { $0.phase == .lost }
        #expect(!bench.device.isHotspotUp && bench.cloud.activations.isEmpty)
        try bench.device.pressReset()
        #expect(bench.device.isHotspotUp && bench.device.lastFailure == 0)
    }

    @Test("after a refused token the hotspot is back, and a second pairing does not join again")
    @Loop func refused() async throws {
        let bench = try HotspotBench(8) { plan in
            plan.networks[0].outcome = .cloudRefuses
            plan.joinTime = .milliseconds(30)
        }
        defer { bench.stop() }
        _ = try await bench.hub().ask(.hotspotCredentials, bench.credentials().body)
        await bench.device.until { $0.lastFailure == 8 && $0.isHotspotUp }
        bench.device.plan.networks[0].outcome = .joins
        bench.device.plan.joinTime = .seconds(3600)
        _ = try await bench.hub().ask(.hotspotCredentials, bench.credentials().body)
        await bench.device.until { $0.phase == .onLAN }
        #expect(bench.device.lastFailure == 0)
    }

    @Test("a silent device hears everything and says nothing")
    @Loop func silent() async throws {
        let bench = try HotspotBench(9) { $0.isSilent = true }
        defer { bench.stop() }
        let hub = try await bench.hub()
        try hub.send(.hotspotExtension, HotspotRequest.describeDevice.body)
        try hub.send(.hotspotCredentials, bench.credentials().body)
        await bench.fact.until { bench.events.count { $0 == .request("unheard") } == 2 }
        #expect(bench.device.phase == .hotspot)
    }

    @Test("a frame without TLS, or a hub that plays the client, ends that connection and no other")
    @Loop func wrongSide() async throws {
        let bench = try HotspotBench(22)
        defer { bench.stop() }
        let address = try #require(bench.device.channelAddress)
        let clear = try await TCPConnection.connect(to: address, deadline: .seconds(10))
        let fact = Fact()
        var ended = false
        clear.onBytes = { _ in }
        clear.onClose = { _ in
            ended = true
            fact.changed()
        }
        clear.write(
            try HotspotCodec().request(.hotspotExtension, sequence: 1, body: HotspotRequest.describeDevice.body)
        )
        await fact.until { ended }

        let tcp = try await TCPConnection.connect(to: address, deadline: .seconds(10))
        let client = try TLSConnection(tcp, role: .client(identity: "psk_identity", key: HotspotKey.fixed.key))
        var error: TLSError??
        client.onClose = {
            error = .some($0)
            fact.changed()
        }
        client.start(deadline: .seconds(30))
        await fact.until { error != nil }
        #expect(error != .some(nil) && !client.isEstablished)
        _ = try await bench.hub()
    }

    @Test("a device with little memory asks for small records")
    @Loop func smallRecords() async throws {
        let bench = try HotspotBench(20) { $0.fragmentLength = .bytes1024 }
        defer { bench.stop() }
        #expect(try await bench.hub().connection.recordLimit == 1024)
    }

    @Test("the simulated cloud gives it id and key for its token, once")
    @Loop func cloud() async throws {
        var client = CloudClient()
        try client.signIn()
        let ticket = try client.ticket()
        let (house, now) = (client.house, client.now)
        let server = try CloudServer(house, clock: { now })
        defer { server.stop() }
        let http = HTTPClient()
        defer { http.close() }
        let bench = try HotspotBench(21, activation: .cloud(server.url, client: http))
        defer { bench.stop() }
        let text = ["region", "token", "secret"].map { ticket["result"]?[$0]?.stringValue ?? "" }.joined()
        let token = PairingToken(text)
        try #require(token != nil)
        let credentials = try PairingCredentials(ssid: "HomeNet", password: "correct horse", token: token)
        _ = try await bench.hub().ask(.hotspotCredentials, credentials.body)
        await bench.device.until { $0.phase == .onLAN }
        let lamp = try #require(bench.device.lamp)
        #expect(server.house.devices.map(\.id) == [lamp.identity.id])
        #expect(server.house.devices.map(\.localKey) == [lamp.identity.localKey])

        try bench.device.pressReset()
        _ = try await bench.hub().ask(.hotspotCredentials, credentials.body)
        await bench.device.until { $0.lastFailure == 8 && $0.isHotspotUp }
        #expect(bench.events.contains(.refused("token_used")))
    }
}
