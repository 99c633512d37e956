import EventLoop
import HomeModel
import JSON
import TuyaProtocol

// The new process, up to the credentials.
extension HotspotMachine {
    mutating func open(_ now: MonotonicTime) {
        phase = .opening
        stateDeadline = now + times.channel
        refusals = 0
        tell(.openChannel, "Connecting to the device.")
        closeChannel()
        openDoor()
    }

    mutating func openDoor() {
        guard let place, let deviceAddress else { return }
        nextAttempt = nil
        channelIsOpen = true
        emit(.openChannel(ChannelPlace(address: deviceAddress, interface: place.interface, pincode: pincode)))
    }

    mutating func announced(_ device: HotspotDevice, _ address: String, _ now: MonotonicTime) {
        guard place != nil else { return }
        heardBeacon = true
        self.device = self.device ?? device
        if settings.ports.device == nil { deviceAddress = address }
        if phase == .recognising { decide(.plus, now) }
    }

    mutating func channelUp(_ now: MonotonicTime) {
        switch phase {
        case .recognising:
            // Only devices of the new process begin a handshake.
            process = .plus
            facts["process"] = "ap-plus"
            steps = TuyaPairingMethod.hotspotPlus.steps
            fallthrough
        case .opening:
            channelIsUp = true
            nextAttempt = nil
            phase = .querying
            stateDeadline = now + times.query
            tell(.queryDevice, "Asking the device how it is.")
            request(.describeDevice)
        default: closeChannel()
        }
    }

    private mutating func request(_ request: HotspotRequest) {
        emit(.send(.hotspotExtension, body: request.body))
    }

    mutating func channelDown(_ reason: ChannelBreak, _ now: MonotonicTime) {
        let wasUp = channelIsUp
        closeChannel()
        switch phase {
        case .recognising: nextAttempt = now + times.channelPause
        case .opening: channelFailed(reason, now)
        case .querying, .reporting, .listing:
            guard wasUp else { return }
            if sentAt != nil, phase != .listing { return goHome(now) }
            fail(PairingErrorCode.noChannel.failure("The device broke the connection off.", step: step))
        case .configuring: accepted("The connection went with the answer.", now)
        default: break
        }
    }

    private mutating func channelFailed(_ reason: ChannelBreak, _ now: MonotonicTime) {
        switch reason {
        case .wrongKey where pincode != nil:
            let error = PairingErrorCode.noChannel.failure(
                "The code is not the device's.",
                code: .wrongVerificationCode,
                hint: "Type the code again, as it is printed on the device."
            )
            return ask(.code, error.message, error: error, now)
        case .refused where pincode == nil && !heardBeacon:
            refusals += 1
            // A device that listens elsewhere and stays silent wants its code.
            if refusals >= 3 {
                return ask(
                    .code,
                    "The device does not take connections without the code that is printed on it.",
                    now
                )
            }
        case .refused, .unreachable, .wrongKey, .handshake, .lost: break
        }
        note(.debug, "no channel to the device yet", ["reason": "\(reason)"])
        nextAttempt = now + times.channelPause
    }

    mutating func received(_ command: Command, _ returnCode: Int32, _ body: [UInt8], _ now: MonotonicTime) {
        switch (phase, command) {
        case (.querying, .hotspotExtension) where DeviceAnswer.isStray(body, expecting: "query_dev_rpt"): break
        case (.listing, .hotspotExtension) where DeviceAnswer.isStray(body, expecting: "wifi_list_rpt"): break
        case (.reporting, .hotspotExtension) where DeviceAnswer.isStray(body, expecting: "netcfg_stat_rpt"): break
        case (.querying, .hotspotExtension): stated(returnCode, body, now)
        case (.reporting, .hotspotExtension): reported(body, now)
        case (.listing, .hotspotExtension): listed(returnCode, body, now)
        case (.configuring, .hotspotCredentials): configured(returnCode, now)
        case (.configuring, _), (.reporting, _), (.asking, _):
            // Firmware may report by itself how joining went.
            if let code = JoinReport.code(in: body) { returned(code, now) }
        default: note(.debug, "a device in its hotspot sent what nobody waited for", ["command": "\(command)"])
        }
    }

    private mutating func stated(_ returnCode: Int32, _ body: [UInt8], _ now: MonotonicTime) {
        guard returnCode == 0, let device = HotspotDevice(answer: body) else {
            return fail(PairingErrorCode.unknownDeviceState.failure("The device does not say how it is."))
        }
        guard device.uuid != nil else {
            return fail(PairingErrorCode.unknownDeviceState.failure("The device does not say who it is."))
        }
        guard device.active == 0 else {
            return fail(PairingErrorCode.unknownDeviceState.failure("The device says that it is paired already."))
        }
        let beacon = self.device
        self.device = device
        self.device?.system = device.system ?? beacon?.system
        facts["uuid"] = device.uuid.map { .string($0) }
        facts["security_level"] = device.securityLevel.map { JSON($0) }
        if let level = device.securityLevel, level > 0, settings.registration.isEmpty {
            note(.notice, "the device has a security level and no security configuration is set", ["sl": "\(level)"])
        }
        if sentAt != nil, !mustSend {
            phase = .reporting
            stateDeadline = now + times.query
            return request(.describeProgress)
        }
        if mustSend {
            mustSend = false
            return needToken(for: .send, now)
        }
        if let system = self.device?.system, system < .needed {
            note(.notice, "the device's system is too old to list networks", ["version": "\(system)"])
            return noList(.listNotSupported, now)
        }
        if !device.offersPlus, beacon?.offersPlus != true { return noList(.listNotSupported, now) }
        list(now)
    }

    mutating func list(_ now: MonotonicTime) {
        phase = .listing
        stateDeadline = now + times.listing
        tell(.listNetworks, "The device looks for networks, which takes some seconds.")
        request(.listNetworks(limit: Self.listLimit))
    }

    /// Source: protocol description, section 8.4.
    private static var listLimit: Int { 50 }

    private mutating func listed(_ returnCode: Int32, _ body: [UInt8], _ now: MonotonicTime) {
        if returnCode != 0 { return noList(.listFailed, now) }
        if body.isEmpty { return noList(.listNotSupported, now) }
        guard let list = WiFiNetwork.list(body) else { return noList(.listFailed, now) }
        var seen: Set<String> = []
        // Access points of the same network are one choice, the strongest.
        networks = list.filter { !$0.ssid.isEmpty && seen.insert($0.ssid).inserted }
        listTrouble = nil
        facts["networks"] = .array(
            networks.map {
                [
                    "ssid": .string($0.ssid), "signal": JSON($0.signal), "security": .string($0.securityName),
                    "secured": .bool($0.isSecured),
                ]
            }
        )
        choose(nil, now)
    }

    mutating func noList(_ code: PairingErrorCode, _ now: MonotonicTime) {
        listTrouble = code
        choose(code.failure(), now)
    }

    /// The network that was given at the start, or a question.
    private mutating func choose(_ error: PairingFailure?, _ now: MonotonicTime) {
        guard ssid != nil, password != nil else { return askNetwork(error, now) }
        if let problem = credentialProblem() { return askNetwork(problem, now) }
        needToken(for: .send, now)
    }

    private mutating func reported(_ body: [UInt8], _ now: MonotonicTime) {
        if let json = DeviceAnswer.read(body, type: "netcfg_stat_rpt"), let data = json["data"] {
            facts["device_status"] = data
        }
        returned(JoinReport.code(in: body), now)
    }
}
