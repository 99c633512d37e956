import EventLoop
import HomeModel
import JSON
import Testing
import TuyaAdapter
import TuyaProtocol

@Suite("Rules of the hotspot processes")
struct PairingRulesTests {
    // MARK: Tokens

    @Test("a token that grew too old while a person thought is replaced before it is sent")
    func oldToken() throws {
        var rig = HotspotRig(.hotspotPlus)
        try rig.reachQuestion()
        rig.wait(.seconds(599))
        var inTime = rig
        inTime.answerNetwork()
        #expect(inTime.credentials.count == 1)
        rig.wait(.seconds(1))
        rig.answerNetwork()
        #expect(rig.credentials.isEmpty && rig.wanted(.fetchToken))
        try rig.giveToken("EUzYxWvUtSw1X2")
        #expect(rig.credentials.last?["token"] == "EUzYxWvUtSw1X2")
    }

    @Test("the cloud's own time counts where it is shorter")
    func shortToken() throws {
        var rig = HotspotRig(.hotspotPlus)
        try rig.giveToken(lifetime: .seconds(20))
        rig.seeHotspots()
        rig.handle(.joined(.success(HotspotRig.plusPlace)))
        rig.handle(.channelUp)
        rig.answerQuery()
        rig.answerList(HotspotRig.list)
        rig.wait(.seconds(21))
        rig.answerNetwork()
        #expect(rig.wanted(.fetchToken))
    }

    @Test("a token from elsewhere is not replaced but asked for again")
    func tokenByHand() throws {
        var rig = HotspotRig(.hotspotPlus, hasCloud: false) { $0.token = HotspotRig.token }
        #expect(!rig.wanted(.fetchToken))
        rig.seeHotspots()
        rig.handle(.joined(.success(HotspotRig.plusPlace)))
        rig.handle(.channelUp)
        rig.answerQuery()
        rig.answerList(HotspotRig.list)
        rig.wait(.seconds(601))
        rig.answerNetwork()
        #expect(rig.machine.phase == .asking(.token))
        rig.handle(.answer(["token": "EUzYxWvUtSw1X2"]))
        #expect(rig.credentials.last?["token"] == "EUzYxWvUtSw1X2")
    }

    @Test("without a cloud, an activation seen on the network ends with the missing key and what to do")
    func noCloud() throws {
        var rig = HotspotRig(.hotspotPlus, hasCloud: false) { $0.token = HotspotRig.token }
        rig.seeHotspots()
        rig.handle(.joined(.success(HotspotRig.plusPlace)))
        rig.handle(.channelUp)
        rig.answerQuery()
        rig.answerList(HotspotRig.list)
        rig.answerNetwork()
        rig.handle(.frame(.hotspotCredentials, returnCode: 0, body: []))
        rig.handle(.left(nil))
        rig.handle(.sighted(HotspotRig.sighting("stranger", uuid: "another")))
        #expect(rig.state == .running)
        rig.handle(.sighted(HotspotRig.sighting()))
        #expect(rig.failure?.code == .keyMissing && rig.failure?.hint?.contains("import") == true)
        #expect(rig.told.last?.data["device"] == .string(HotspotRig.id))
    }

    @Test("without a cloud and without a token nothing begins, and it is said what is needed")
    func nothing() {
        let rig = HotspotRig(.hotspot, hasCloud: false)
        #expect(rig.failure?.code == "account_missing" && rig.failure?.hint?.contains("account") == true)
        #expect(rig.effects.count == 2 && rig.machine.isOver)
        let wrong = HotspotRig(.hotspot) { $0.token = "short" }
        #expect(wrong.failure?.vendorCode == "207209")
    }

    @Test("a cloud that gives no token ends the session with its own words")
    func noToken() {
        var rig = HotspotRig(.hotspot)
        let error = CloudError(.refused(.permissionDenied), "The cloud says no.", code: "1106")
        rig.handle(.token(.failure(PairingFailure(error, step: .token))))
        #expect(rig.failure?.code == "permission_denied" && rig.failure?.vendorCode == "1106")
        #expect(rig.failure?.retryFrom == "token")
    }

    // MARK: The cloud's answers

    @Test("a device that the cloud refuses is 207214, or already bound")
    func refused() throws {
        for code in ["DEVICE_ALREADY_BIND", "ILLEGAL"] {
            var rig = HotspotRig(.hotspotPlus)
            try rig.reachWaiting()
            let failure = PairingPoll.Failure(deviceID: HotspotRig.id, code: code, message: "no")
            rig.handle(.polled(.success(.failed([failure]))))
            #expect(rig.failure?.vendorCode == "207214" && rig.failure?.message.contains(code) == true)
            #expect(rig.failure?.code == (code == "ILLEGAL" ? .activationFailed : .alreadyBound))
            #expect(rig.failure?.retryFrom == "token")
        }
    }

    @Test("a cloud that answers with errors for 30 s is 207218; shorter troubles pass")
    func cloudErrors() throws {
        for recovers in [true, false] {
            var rig = HotspotRig(.hotspotPlus)
            try rig.reachWaiting()
            for second in 0..<40 where !rig.machine.isOver {
                rig.wait(.seconds(1))
                rig.handle(
                    .polled(.success(recovers && second == 20 ? .pending : .cloudError(.retryLater)))
                )
            }
            #expect(rig.failure?.vendorCode == (recovers ? nil : "207218"))
        }
    }

    @Test("polls begin with the credentials, one at a time, slower after half a minute")
    func polls() throws {
        var rig = HotspotRig(.hotspotPlus)
        try rig.reachWaiting()
        rig.wait(.seconds(10))
        let poll = HotspotEffect.poll(try #require(PairingToken(HotspotRig.token)))
        #expect(rig.count(poll) == 1, "nobody has answered")
        var answered = 0
        for _ in 0..<60 {
            if rig.count(poll) > answered {
                answered = rig.count(poll)
                rig.handle(.polled(.success(.pending)))
            }
            rig.wait(.seconds(1))
        }
        #expect((35...45).contains(rig.count(poll)), "\(rig.count(poll))")
    }

    @Test("a key that the cloud cannot tell yet is asked for again, and missed in words")
    func slowKey() throws {
        var rig = HotspotRig(.hotspotPlus)
        try rig.reachWaiting()
        rig.handle(.polled(.success(.paired(deviceIDs: [HotspotRig.id], failures: []))))
        for _ in 0..<3 {
            rig.handle(.described(.failure(PairingFailure("cloud_unreachable", "No way.")), mayRepeat: true))
            rig.wait(.seconds(1))
        }
        #expect(rig.count(.fetchDevice(HotspotRig.id)) == 4)
        rig.wait(.seconds(30))
        #expect(rig.failure?.code == .keyMissing)
    }

    @Test("a paired device that is not seen is kept, with a warning; one that refuses the key is a failure")
    func unseen() throws {
        var rig = HotspotRig(.hotspotPlus)
        try rig.reachWaiting()
        try rig.pairInCloud()
        var refusing = rig
        rig.wait(.seconds(31))
        #expect(rig.state == .succeeded && rig.told.last?.data["warning"] == "not_on_lan")
        refusing.handle(.sighted(HotspotRig.sighting()))
        refusing.handle(.link(.offline(.keyRefused(.proof))))
        refusing.wait(.seconds(21))
        #expect(refusing.failure?.code == .handshakeFailed)
    }

    // MARK: The hotspot

    @Test("several hotspots are a choice, none is looked for again or named by hand")
    func choice() throws {
        var rig = HotspotRig(.hotspotPlus)
        try rig.giveToken()
        rig.seeHotspots(["SmartLife-AAAA", "Brand-12EF", "SL-Lamp-BBBB"])
        let field = try #require(rig.form?.fields.first)
        #expect(field.choices.map(\.value) == ["SmartLife-AAAA", "SL-Lamp-BBBB", "Brand-12EF"] && field.allowsOther)
        rig.handle(.answer(["hotspot": "SL-Lamp-BBBB"]))
        #expect(rig.wanted(.join(ssid: "SL-Lamp-BBBB")))

        rig = HotspotRig(.hotspotPlus)
        try rig.giveToken()
        rig.seeHotspots(["HomeNet"])
        #expect(rig.form?.fields.first?.choices.isEmpty == true)
        rig.handle(.answer([:]))
        #expect(rig.wanted(.scan))
        rig.handle(.scanned(.failure(CommandError(.capabilityMissing, "There is no radio."))))
        rig.handle(.answer(["hotspot": "My lamp"]))
        rig.handle(.joined(.failure(CommandError(.capabilityMissing, "There is no radio."))))
        #expect(rig.failure?.code == .noRadio && rig.failure?.step == "join_device_ap")
    }

    @Test("a radio that does not get there in time is brought back")
    func joinTimeout() throws {
        var settings = PairingSettings()
        settings.times.joining = .seconds(30)
        var rig = HotspotRig(.hotspotPlus, settings: settings)
        try rig.giveToken()
        rig.seeHotspots()
        rig.wait(.seconds(30))
        #expect(rig.failure?.code == .hotspotJoinFailed && rig.wanted(.leave))
    }

    @Test("a hotspot that goes while a question is open is joined again by the answer")
    func goneMeanwhile() throws {
        var rig = HotspotRig(.hotspotPlus)
        try rig.reachQuestion()
        rig.handle(.hotspotLost(ssid: HotspotRig.hotspot))
        #expect(rig.wanted(.closeChannel) && rig.wanted(.leave))
        rig.answerNetwork()
        #expect(rig.wanted(.join(ssid: HotspotRig.hotspot)))
        rig.handle(.joined(.success(HotspotRig.plusPlace)))
        rig.handle(.channelUp)
        rig.answerQuery()
        #expect(rig.credentials.count == 1)
    }

    // MARK: Stop

    @Test("a stop at any moment closes what is open, brings the radio back and says no more", arguments: 0..<12)
    func stop(at depth: Int) throws {
        for method in [TuyaPairingMethod.hotspotPlus, .hotspotLegacy] {
            var rig = HotspotRig(method)
            let network = PairingEvent.answer(["ssid": "HomeNet", "password": "correct horse"])
            let events: [(inout HotspotRig) throws -> Void] =
                method == .hotspotPlus
                ? [
                    { try $0.giveToken() }, { $0.seeHotspots() },
                    { $0.handle(.joined(.success(HotspotRig.plusPlace))) },
                    { $0.handle(.channelUp) }, { $0.answerQuery() }, { $0.answerList(HotspotRig.list) },
                    { $0.handle(network) }, { $0.handle(.frame(.hotspotCredentials, returnCode: 0, body: [])) },
                    { $0.handle(.left(nil)) },
                    { $0.handle(.polled(.success(.paired(deviceIDs: [HotspotRig.id], failures: [])))) },
                    { $0.handle(.described(.success(HotspotRig.device), mayRepeat: false)) },
                ]
                : [
                    { try $0.giveToken() }, { $0.handle(network) }, { $0.seeHotspots() },
                    { $0.handle(.joined(.success(HotspotRig.legacyPlace))) },
                    { $0.handle(.announcedOld(address: "192.168.175.1")) }, { $0.handle(.oldChannelUp) },
                    { $0.handle(.hotspotLost(ssid: HotspotRig.hotspot)) }, { $0.handle(.left(nil)) },
                ]
            for event in events.prefix(depth) { try event(&rig) }
            let told = rig.told.count
            rig.stop()
            #expect(rig.told.count == told && rig.machine.isOver && rig.machine.deadline == nil)
            expectBalance(rig)
            // Whatever still comes in changes nothing.
            for event in events { try? event(&rig) }
            rig.wait(.seconds(1000))
            #expect(rig.told.count == told)
            rig.stop()
            expectBalance(rig)
        }
    }

    /// Everything that was opened was closed.
    private func expectBalance(_ rig: HotspotRig) {
        var (channels, joins, listening, watching, old) = (0, 0, 0, 0, 0)
        for effect in rig.effects {
            switch effect {
            case .openChannel: channels = 1
            case .closeChannel: channels = 0
            case .join: joins = 1
            case .leave: joins = 0
            case .listen: listening = 1
            case .stopListening: listening = 0
            case .watchLAN(let isOn): watching = isOn ? 1 : 0
            case .openOldChannel: old = 1
            case .closeOldChannel: old = 0
            default: break
            }
        }
        #expect(channels + joins + listening + watching + old == 0)
    }

    @Test("any event in any phase is survived", arguments: 0..<200)
    func anything(seed: Int) throws {
        var random = RandomSource(seed: UInt64(seed))
        var rig = HotspotRig(seed % 3 == 0 ? .hotspot : seed % 3 == 1 ? .hotspotPlus : .hotspotLegacy)
        for _ in 0..<60 {
            switch Int.random(in: 0..<20, using: &random) {
            case 0: try rig.giveToken()
            case 1: rig.seeHotspots()
            case 2: rig.handle(.joined(.success(HotspotRig.plusPlace)))
            case 3: rig.handle(.joined(.success(HotspotRig.legacyPlace)))
            case 4: rig.handle(.channelUp)
            case 5: rig.answerQuery()
            case 6: rig.answerList(HotspotRig.list)
            case 7:
                rig.handle(.answer(["ssid": "HomeNet", "password": "correct horse", "pincode": "1", "hotspot": "x"]))
            case 8: rig.handle(.frame(.hotspotCredentials, returnCode: 0, body: []))
            case 9: rig.handle(.left(nil))
            case 10: rig.handle(.channelDown(.lost))
            case 11: rig.handle(.hotspotLost(ssid: HotspotRig.hotspot))
            case 12: rig.handle(.sighted(HotspotRig.sighting(active: Bool.random(using: &random), level: 1)))
            case 13: rig.handle(.announcedOld(address: "192.168.175.1"))
            case 14: rig.handle(.oldChannelUp)
            case 15: rig.handle(.announced(HotspotDevice(fields: [:]), address: "192.168.176.1"))
            case 16: rig.handle(.polled(.success(.pending)))
            case 17: rig.handle(.neighbour(true))
            case 18: rig.handle(.channelDown(.refused))
            default: rig.wait(.milliseconds(Int64.random(in: 0...9000, using: &random)))
            }
            let isAsking = if case .asking = rig.machine.phase { true } else { false }
            #expect(isAsking == (rig.machine.form != nil))
            if rig.machine.isOver { break }
        }
        rig.stop()
        expectBalance(rig)
    }
}
