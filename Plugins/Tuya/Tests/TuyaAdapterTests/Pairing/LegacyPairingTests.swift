import EventLoop
import HomeModel
import JSON
import Testing
import TuyaAdapter
import TuyaProtocol

@Suite("The old hotspot process")
struct LegacyPairingTests {
    @Test("credentials go out every second until the hotspot disappears, then the cloud is asked")
    func success() throws {
        var rig = HotspotRig(.hotspotLegacy)
        try rig.giveToken()
        #expect(rig.machine.phase == .asking(.network), "better asked before the hotspot than in it")
        rig.answerNetwork()
        rig.seeHotspots()
        rig.handle(.joined(.success(HotspotRig.legacyPlace)))
        #expect(rig.datagrams == 1)
        rig.wait(.seconds(4))
        #expect(rig.datagrams == 5)
        let datagram = rig.effects.compactMap { effect -> [UInt8]? in
            guard case .datagram(let bytes, to: HotspotRig.legacyPlace, address: "192.168.175.1") = effect else {
                return nil
            }
            return bytes
        }.first
        let credentials = try PairingCredentials(
            ssid: "HomeNet",
            password: "correct horse",
            token: PairingToken(HotspotRig.token)
        )
        #expect(try datagram == LegacyPairing.datagram(credentials))
        rig.handle(.polled(.failure(PairingFailure("cloud_unreachable", "No way."))))
        rig.handle(.hotspotLost(ssid: HotspotRig.hotspot))
        #expect(rig.wanted(.leave) && rig.wanted(.stopListening))
        rig.wait(.seconds(3))
        #expect(rig.datagrams == 5)
        rig.handle(.left(nil))
        #expect(rig.machine.phase == .awaiting)
        try rig.pairInCloud()
        rig.handle(.link(.online))
        #expect(rig.state == .succeeded)
        #expect(rig.walked.contains("return_home") && !rig.walked.contains("open_channel"))
    }

    @Test("without success the pairing ends after 100 s with the vendor's timeout")
    func timeout() throws {
        var rig = HotspotRig(.hotspotLegacy)
        try rig.reachSending()
        rig.wait(.seconds(99))
        #expect(rig.state == .running && rig.datagrams == 100)
        rig.wait(.seconds(2))
        #expect(rig.failure?.vendorCode == "207220" && rig.failure?.hint?.isEmpty == false)
        #expect(rig.wanted(.leave) && rig.wanted(.stopListening))
    }

    @Test("a gateway that may not send in the hotspot says so at once, and the radio goes home")
    func cannotSend() throws {
        var rig = HotspotRig(.hotspotLegacy)
        try rig.reachSending()
        rig.handle(.cannotSend("the operation is not permitted"))
        #expect(rig.failure?.vendorCode == "207201" && rig.failure?.message.contains("not permitted") == true)
        #expect(rig.wanted(.leave) && rig.wanted(.stopListening))
    }

    @Test("the cloud may know before the radio does")
    func cloudFirst() throws {
        var rig = HotspotRig(.hotspotLegacy)
        try rig.reachSending()
        rig.wait(.seconds(1))
        try rig.pairInCloud()
        #expect(rig.count(.leave) == 1 && rig.machine.phase == .finding)
    }

    @Test("a beacon on the home's network makes the cloud be asked at once")
    func beaconFirst() throws {
        var rig = HotspotRig(.hotspotLegacy)
        try rig.reachSending()
        rig.handle(.hotspotLost(ssid: HotspotRig.hotspot))
        rig.handle(.left(nil))
        let polls = rig.effects.count
        rig.handle(.sighted(HotspotRig.sighting()))
        rig.wait(.zero)
        let token = try #require(PairingToken(HotspotRig.token))
        #expect(rig.effects.count > polls && rig.wanted(.poll(token)))
        rig.handle(.sighted(HotspotRig.sighting("other", isOld: true)))
        try rig.pairInCloud()
        #expect(rig.machine.phase == .handshaking, "the place is known already")
    }

    @Test("old firmware gets both parts over TCP, besides the datagrams")
    func tcp() throws {
        for answers in [true, false] {
            var rig = HotspotRig(.hotspotLegacy)
            try rig.reachSending()
            rig.handle(.announcedOld(address: "192.168.175.1"))
            #expect(rig.wanted(.openOldChannel(address: "192.168.175.1", interface: "wlan0")))
            rig.handle(.oldChannelUp)
            let network: JSON = ["ssid": "HomeNet", "passwd": "correct horse"]
            #expect(rig.wanted(.sendOld(.legacyCredentials, body: network.serialized())))
            if answers { rig.handle(.oldAnswer(.legacyCredentials, returnCode: 0)) } else { rig.wait(.seconds(1)) }
            let token: JSON = ["token": .string(HotspotRig.token)]
            #expect(rig.count(.sendOld(.legacyToken, body: token.serialized())) == 1)
            rig.handle(.hotspotLost(ssid: HotspotRig.hotspot))
            #expect(rig.wanted(.closeOldChannel))
        }
    }

    @Test("a hotspot that comes back is joined, listened to, and told again, on the same clock")
    func comesBack() throws {
        var rig = HotspotRig(.hotspotLegacy)
        try rig.reachSending()
        rig.handle(.hotspotLost(ssid: HotspotRig.hotspot))
        rig.handle(.left(nil))
        rig.wait(.seconds(9))
        rig.seeHotspots()
        rig.handle(.joined(.success(HotspotRig.legacyPlace)))
        let before = rig.datagrams
        rig.wait(.seconds(4))
        #expect(rig.datagrams == before)
        rig.wait(.seconds(2))
        #expect(rig.datagrams > before)
        rig.wait(.seconds(90))
        #expect(rig.failure?.vendorCode == "207220")
        #expect(rig.count(.fetchToken) == 1)
    }

    @Test("a device with a security level waits for a client in its own network")
    func securityLevel() throws {
        var rig = HotspotRig(.hotspotLegacy)
        try rig.reachSending()
        rig.handle(.hotspotLost(ssid: HotspotRig.hotspot))
        rig.handle(.left(nil))
        rig.handle(.sighted(HotspotRig.sighting(HotspotRig.uuid, active: false, level: 1)))
        #expect(rig.machine.phase == .asking(.sameWiFi) && rig.form?.fields.isEmpty == true)
        #expect(rig.told.last?.step == "confirm_same_wifi" && rig.told.last?.data["uuid"] == .string(HotspotRig.uuid))
        rig.handle(.answer([:]))
        #expect(rig.wanted(.checkNeighbourhood("192.168.1.50")))
        rig.handle(.neighbour(false))
        #expect(rig.form?.error?.code == "wrong_network")
        rig.handle(.answer([:]))
        rig.handle(.neighbour(true))
        var other = rig
        try rig.pairInCloud()
        rig.handle(.link(.online))
        #expect(rig.state == .succeeded)
        other.wait(.seconds(101))
        #expect(other.failure?.vendorCode == "207214", "what it wants on the network is not known")
    }

    @Test("a name and a password that are too long together are refused before they are sent")
    func tooLong() throws {
        var rig = HotspotRig(.hotspotLegacy) {
            $0.ssid = String(repeating: "\"", count: 32)
            $0.password = String(repeating: "\"", count: 64)
        }
        try rig.reachSending()
        #expect(rig.form?.error?.vendorCode == "207209" && rig.datagrams == 0)
    }

    @Test("in any hotspot the process shows itself: by its network, its beacon, its handshake, or not")
    func recognised() throws {
        var rig = HotspotRig(.hotspot)
        try rig.giveToken()
        rig.seeHotspots()
        rig.handle(.joined(.success(HotspotRig.plusPlace)))
        #expect(rig.machine.process == .plus)

        let oddPlace = WiFiPlace(interface: "wlan0", address: "10.0.0.2", prefix: 24, gateway: nil)
        for sign in 0..<4 {
            rig = HotspotRig(.hotspot)
            try rig.giveToken()
            rig.seeHotspots()
            rig.handle(.joined(.success(oddPlace)))
            #expect(rig.machine.process == nil)
            #expect(rig.wanted(.openChannel(ChannelPlace(address: "10.0.0.1", interface: "wlan0", pincode: nil))))
            switch sign {
            case 0: rig.handle(.announced(HotspotDevice(fields: ["apConfigType": 1]), address: "10.0.0.1"))
            case 1: rig.handle(.channelUp)
            case 2: rig.handle(.announcedOld(address: "10.0.0.1"))
            default: rig.wait(.seconds(4))
            }
            #expect(rig.machine.process == (sign < 2 ? .plus : .legacy))
            if sign >= 2 {
                #expect(rig.wanted(.closeChannel), "a silent connection would block the device")
                #expect(rig.machine.phase == .asking(.network))
                rig.answerNetwork()
                #expect(rig.datagrams == 1)
            }
        }
    }
}
