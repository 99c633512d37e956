import EventLoop
import HomeModel
import JSON
import Testing
import TuyaAdapter
import TuyaProtocol

@Suite("The new hotspot process")
struct PlusPairingTests {
    @Test("a lamp is paired step by step, and everything is closed at the end")
    func success() throws {
        var rig = HotspotRig(.hotspotPlus)
        #expect(rig.wanted(.fetchToken))
        try rig.giveToken()
        #expect(rig.wanted(.scan))
        rig.seeHotspots()
        #expect(rig.wanted(.join(ssid: HotspotRig.hotspot)))
        rig.handle(.joined(.success(HotspotRig.plusPlace)))
        #expect(rig.wanted(.listen(HotspotRig.plusPlace)))
        #expect(rig.wanted(.openChannel(ChannelPlace(address: "192.168.176.1", interface: "wlan0", pincode: nil))))
        rig.handle(.channelUp)
        rig.answerQuery()
        rig.answerList(HotspotRig.list)
        let form = try #require(rig.form)
        #expect(form.fields.first?.choices.map(\.value) == ["HomeNet", "Cafe"], "the strongest first, each name once")
        #expect(form.fields.first?.choices.first?.title == "HomeNet (-41 dBm, WPA/WPA2)")
        #expect(form.fields.first?.allowsOther == true)
        rig.answerNetwork()
        #expect(
            rig.credentials == [["ssid": "HomeNet", "passwd": "correct horse", "token": .string(HotspotRig.token)]]
        )
        rig.handle(.frame(.hotspotCredentials, returnCode: 0, body: []))
        #expect(
            rig.wanted(.closeChannel) && rig.wanted(.stopListening) && rig.wanted(.leave) && rig.wanted(.watchLAN(true))
        )
        rig.handle(.left(nil))
        rig.wait(.seconds(1))
        #expect(rig.wanted(.poll(try #require(PairingToken(HotspotRig.token)))))
        rig.handle(.polled(.success(.pending)))
        rig.handle(.polled(.success(.paired(deviceIDs: [HotspotRig.id], failures: []))))
        #expect(rig.wanted(.fetchDevice(HotspotRig.id)))
        rig.handle(.described(.success(HotspotRig.device), mayRepeat: false))
        #expect(rig.wanted(.adopt(HotspotRig.device, at: nil)))
        rig.handle(.sighted(HotspotRig.sighting()))
        rig.handle(.link(.online))
        #expect(rig.state == .succeeded && rig.told.last?.devices == [VendorID(HotspotRig.id)])
        #expect(rig.wanted(.watchLAN(false)))
        #expect(rig.machine.isOver && rig.machine.deadline == nil)
        let expected = TuyaPairingMethod.hotspotPlus.steps.map(\.rawValue)
        #expect(rig.walked.filter { $0 != "find_on_lan" } == expected.filter { $0 != "find_on_lan" })
    }

    @Test("nothing that is told holds the password or the token")
    func noSecrets() throws {
        var rig = HotspotRig(.hotspotPlus)
        try rig.reachWaiting()
        try rig.pairInCloud()
        for progress in rig.told {
            let text = "\(progress)"
            #expect(!text.contains("correct horse") && !text.contains("aBcDeFgH") && !text.contains("p'&T"))
        }
    }

    @Test("what was given at the start is not asked for")
    func given() throws {
        var rig = HotspotRig(.hotspotPlus) {
            $0.ssid = "HomeNet"
            $0.password = "correct horse"
            $0.hotspot = "Lamp of mine"
        }
        try rig.giveToken()
        #expect(rig.wanted(.join(ssid: "Lamp of mine")))
        rig.handle(.joined(.success(HotspotRig.plusPlace)))
        rig.handle(.channelUp)
        rig.answerQuery()
        rig.answerList(HotspotRig.list)
        #expect(rig.credentials.count == 1)
        #expect(!rig.told.contains { $0.state == .needsInput })
    }

    @Test("the security configuration goes along where the operator gave one")
    func registration() throws {
        var settings = PairingSettings()
        settings.registration = ["pub": 1, "url0": "h3.dns.example"]
        var rig = HotspotRig(.hotspotPlus, settings: settings)
        try rig.reachWaiting()
        #expect(rig.credentials.first?["reg"] == ["pub": 1, "url0": "h3.dns.example"])
    }

    @Test("a wrong password is asked for again in the same session, with the same token and the same clock")
    func wrongPassword() throws {
        var rig = HotspotRig(.hotspotPlus)
        try rig.reachWaiting()
        rig.wait(.seconds(9))
        #expect(rig.wanted(.scan))
        rig.seeHotspots(["HomeNet", HotspotRig.hotspot])
        #expect(rig.wanted(.join(ssid: HotspotRig.hotspot)))
        rig.handle(.joined(.success(HotspotRig.plusPlace)))
        rig.handle(.channelUp)
        rig.answerQuery()
        #expect(rig.wanted(.send(.hotspotExtension, body: HotspotRequest.describeProgress.body)))
        let report = #"{"reqType":"netcfg_stat_rpt","data":{"type":1,"stage":2,"status":3}}"#
        rig.handle(.frame(.hotspotExtension, returnCode: 0, body: [UInt8](report.utf8)))
        #expect(rig.form?.error?.vendorCode == "207211" && rig.form?.error?.code == .wrongPassword)
        #expect(rig.told.last?.data["device_status"] == ["type": 1, "stage": 2, "status": 3])
        rig.answerNetwork(nil, "battery staple")
        #expect(rig.credentials.count == 2)
        #expect(
            rig.credentials.last == ["ssid": "HomeNet", "passwd": "battery staple", "token": .string(HotspotRig.token)]
        )
        #expect(rig.count(.fetchToken) == 1)
        rig.handle(.channelDown(.lost))
        rig.handle(.left(nil))
        // 9 s of the 120 s were spent before.
        rig.wait(.seconds(110))
        #expect(rig.state == .running)
        rig.wait(.seconds(2))
        #expect(rig.failure?.vendorCode == "207220")
    }

    @Test(
        "every number that a device gives is told as the vendor's, and asked for again",
        arguments: [
            (1, 207_209), (2, 207_210), (3, 207_211), (4, 207_212), (5, 207_213), (6, 207_215), (7, 207_219),
            (8, 207_216),
        ]
    )
    func deviceCodes(number: Int, vendorCode: Int) throws {
        var rig = HotspotRig(.hotspotPlus)
        try rig.reachWaiting()
        rig.wait(.seconds(9))
        rig.seeHotspots()
        rig.handle(.joined(.success(HotspotRig.plusPlace)))
        rig.handle(.channelUp)
        rig.answerQuery()
        let report = #"{"reqType":"netcfg_stat_rpt","data":{"status":\#(number)}}"#
        rig.handle(.frame(.hotspotExtension, returnCode: 0, body: [UInt8](report.utf8)))
        let error = try #require(rig.form?.error)
        #expect(error.vendorCode == "\(vendorCode)" && error.hint?.isEmpty == false && error.retryFrom != nil)
    }

    @Test(
        "a hotspot that is back without a reason means that joining failed, or the cloud where the device was on the LAN"
    )
    func backWithoutReason() throws {
        for wasSeen in [false, true] {
            var rig = HotspotRig(.hotspotPlus)
            try rig.reachWaiting()
            if wasSeen { rig.handle(.sighted(HotspotRig.sighting(HotspotRig.uuid, active: false))) }
            rig.wait(.seconds(9))
            rig.seeHotspots()
            rig.handle(.joined(.success(HotspotRig.plusPlace)))
            rig.handle(.channelUp)
            rig.answerQuery()
            rig.wait(.seconds(5))
            #expect(rig.form?.error?.vendorCode == (wasSeen ? "207214" : "207212"))
            rig.answerNetwork()
            // A token that the cloud refused is of no use any more.
            #expect(rig.wanted(.fetchToken) == wasSeen)
            if wasSeen { try rig.giveToken("EUzYxWvUtSw1X2") }
            #expect(rig.credentials.last?["token"] == .string(wasSeen ? "EUzYxWvUtSw1X2" : HotspotRig.token))
        }
    }

    @Test("an answer that got lost with the hotspot, the connection or in silence counts as taken")
    func lostAnswer() throws {
        for way in 0..<3 {
            var rig = HotspotRig(.hotspotPlus)
            try rig.reachQuestion()
            rig.answerNetwork()
            switch way {
            case 0: rig.handle(.hotspotLost(ssid: HotspotRig.hotspot))
            case 1: rig.handle(.channelDown(.lost))
            default: rig.wait(.seconds(5))
            }
            #expect(rig.machine.phase == .leaving)
            rig.handle(.left(nil))
            try rig.pairInCloud()
            rig.handle(.link(.online))
            #expect(rig.state == .succeeded)
        }
    }

    @Test("a refusal of the credentials is asked about on the same channel")
    func refused() throws {
        var rig = HotspotRig(.hotspotPlus)
        try rig.reachQuestion()
        rig.answerNetwork()
        rig.handle(.frame(.hotspotCredentials, returnCode: -9, body: []))
        #expect(rig.form?.error?.vendorCode == "207209")
        rig.answerNetwork("Cafe", "")
        #expect(rig.credentials.last?["ssid"] == "Cafe" && rig.credentials.last?["passwd"] == "")
        #expect(!rig.wanted(.closeChannel))
    }

    @Test("a device that is silent for ever ends with the vendor's timeout, and the radio at home")
    func silent() throws {
        var rig = HotspotRig(.hotspotPlus)
        try rig.reachWaiting()
        rig.wait(.seconds(119))
        #expect(rig.state == .running)
        rig.wait(.seconds(2))
        #expect(rig.failure?.vendorCode == "207220" && rig.failure?.code == "timeout")
        #expect(rig.count(.leave) == 1 && rig.machine.isOver)
    }

    @Test("a time that was given counts instead of 120 s")
    func limit() throws {
        var rig = HotspotRig(.hotspotPlus) { $0.limit = .seconds(30) }
        try rig.reachWaiting()
        rig.wait(.seconds(31))
        #expect(rig.failure?.vendorCode == "207220")
    }

    // MARK: The channel

    @Test("a channel that does not come about within 15 s is 207201, and is tried again meanwhile")
    func noChannel() throws {
        var rig = HotspotRig(.hotspotPlus)
        try rig.giveToken()
        rig.seeHotspots()
        rig.handle(.joined(.success(HotspotRig.plusPlace)))
        let door = HotspotEffect.openChannel(ChannelPlace(address: "192.168.176.1", interface: "wlan0", pincode: nil))
        for _ in 0..<5 {
            rig.handle(.channelDown(.unreachable))
            rig.wait(.seconds(1))
            #expect(rig.wanted(door))
        }
        rig.wait(.seconds(10))
        #expect(rig.failure?.vendorCode == "207201" && rig.failure?.retryFrom == "find_device_ap")
        #expect(rig.wanted(.closeChannel) && rig.wanted(.leave), "a silent connection would block the device")
    }

    @Test("a device without a beacon that refuses connections is asked for its code, again where it is wrong")
    func code() throws {
        var rig = HotspotRig(.hotspotPlus)
        try rig.giveToken()
        rig.seeHotspots()
        rig.handle(.joined(.success(HotspotRig.plusPlace)))
        for _ in 0..<3 {
            rig.handle(.channelDown(.refused))
            rig.wait(.seconds(1))
        }
        #expect(rig.machine.phase == .asking(.code))
        rig.handle(.answer(["pincode": "87654321"]))
        #expect(
            rig.wanted(.openChannel(ChannelPlace(address: "192.168.176.1", interface: "wlan0", pincode: "87654321")))
        )
        rig.handle(.channelDown(.wrongKey))
        #expect(rig.form?.error?.code == .wrongVerificationCode && rig.form?.error?.vendorCode == "207201")
        rig.handle(.answer(["pincode": "12345678"]))
        rig.handle(.channelUp)
        #expect(rig.machine.phase == .querying)
    }

    @Test("the state is checked before the list is asked for")
    func state() throws {
        for variant in 0..<5 {
            var rig = HotspotRig(.hotspotPlus)
            try rig.giveToken()
            rig.seeHotspots()
            rig.handle(.joined(.success(HotspotRig.plusPlace)))
            rig.handle(.channelUp)
            switch variant {
            case 0: rig.answerQuery(active: 2)
            case 1: rig.answerQuery(active: nil)
            case 2: rig.answerQuery(uuid: nil)
            case 3: rig.handle(.frame(.hotspotExtension, returnCode: 0, body: [1, 2, 3]))
            default: rig.wait(.seconds(5))
            }
            #expect(rig.failure?.vendorCode == "207206", "variant \(variant)")
            #expect(rig.count(.send(.hotspotExtension, body: HotspotRequest.listNetworks(limit: 50).body)) == 0)
            #expect(rig.wanted(.closeChannel) && rig.wanted(.leave))
        }
    }

    @Test("answers to questions of a session before are passed over")
    func strayAnswers() throws {
        var rig = HotspotRig(.hotspotPlus)
        try rig.giveToken()
        rig.seeHotspots()
        rig.handle(.joined(.success(HotspotRig.plusPlace)))
        rig.handle(.channelUp)
        rig.answerList(HotspotRig.list)
        #expect(rig.machine.phase == .querying)
        rig.answerQuery()
        rig.answerQuery()
        #expect(rig.machine.phase == .listing)
        rig.answerList(HotspotRig.list)
        #expect(rig.machine.phase == .asking(.network))
    }

    @Test("a list that is not supported, or that fails, lets the name be typed")
    func lists() throws {
        for variant in 0..<6 {
            var rig = HotspotRig(.hotspotPlus)
            try rig.giveToken()
            rig.seeHotspots()
            rig.handle(.joined(.success(HotspotRig.plusPlace)))
            rig.handle(.channelUp)
            switch variant {
            case 0: rig.answerQuery(extra: [:])
            case 1: rig.answerQuery(extra: ["apConfigType": 1, "tuyaos": "3.5.9"])
            default: rig.answerQuery()
            }
            switch variant {
            case 0, 1: break
            case 2: rig.handle(.frame(.hotspotExtension, returnCode: 0, body: []))
            case 3: rig.handle(.frame(.hotspotExtension, returnCode: 1, body: []))
            case 4: rig.handle(.frame(.hotspotExtension, returnCode: 0, body: [UInt8]("{}".utf8)))
            default: rig.wait(.seconds(15))
            }
            #expect(rig.form?.error?.vendorCode == (variant < 3 ? "207207" : "207222"), "variant \(variant)")
            rig.answerNetwork("Hidden", "correct horse")
            #expect(rig.credentials.last?["ssid"] == "Hidden")
        }
    }

    @Test("a list that failed is asked for again by an answer without a name")
    func listAgain() throws {
        var rig = HotspotRig(.hotspotPlus)
        try rig.giveToken()
        rig.seeHotspots()
        rig.handle(.joined(.success(HotspotRig.plusPlace)))
        rig.handle(.channelUp)
        rig.answerQuery()
        rig.wait(.seconds(15))
        rig.handle(.answer([:]))
        #expect(rig.machine.phase == .listing)
        rig.answerList(HotspotRig.list)
        #expect(rig.form?.error == nil && rig.form?.fields.first?.choices.count == 2)
    }

    @Test("120 networks, quotes, emoji, hidden and open ones")
    func manyNetworks() throws {
        var rig = HotspotRig(.hotspotPlus)
        try rig.giveToken()
        rig.seeHotspots()
        rig.handle(.joined(.success(HotspotRig.plusPlace)))
        rig.handle(.channelUp)
        rig.answerQuery()
        var entries = (0..<120).map { #"{"ssid":"Net \#($0)","rssi":\#(-90 + $0 % 50),"sec":3}"# }
        entries.append(#"{"ssid":"He said "hi"","rssi":-30,"sec":4}"#)
        entries.append(#"{"ssid":"Küche 🍕","rssi":-35,"sec":0}"#)
        entries.append(#"{"ssid":"","rssi":-20,"sec":4}"#)
        rig.answerList(entries.joined(separator: ","))
        let choices = try #require(rig.form?.fields.first?.choices)
        #expect(choices.count == 122)
        #expect(choices.prefix(2).map(\.value) == [#"He said "hi""#, "Küche 🍕"])
        rig.answerNetwork("Küche 🍕", "")
        #expect(rig.credentials.last == ["ssid": "Küche 🍕", "passwd": "", "token": .string(HotspotRig.token)])
    }

    @Test("what cannot be a name or a password is said in words before it is sent")
    func localCheck() throws {
        var rig = HotspotRig(.hotspotPlus)
        try rig.reachQuestion()
        rig.answerNetwork("HomeNet", "short")
        #expect(rig.credentials.count == 1, "WEP passwords have five bytes")
        rig = HotspotRig(.hotspotPlus)
        try rig.reachQuestion()
        rig.answerNetwork("HomeNet", "1234567")
        #expect(rig.form?.error?.vendorCode == "207209" && rig.form?.error?.message.contains("8 to 64") == true)
        rig.answerNetwork("HomeNet", "")
        #expect(rig.form?.error?.message == "This network wants a password.")
        rig.answerNetwork("HomeNet", String(repeating: "x", count: 63))
        #expect(rig.credentials.count == 1)
        #expect(throws: CommandError.self) { try rig.machine.checked([:]) }
    }
}
