import EventLoop
import HomeModel
import JSON
import TuyaProtocol

// Finding the hotspot, getting into it, and telling which process it is.
extension HotspotMachine {
    /// Into the hotspot, after everything that is better asked before.
    mutating func approach(_ now: MonotonicTime) {
        if order.method == .hotspotLegacy, ssid == nil || password == nil {
            return askNetwork(nil, now)
        }
        if let error = credentialProblem(), ssid != nil { return askNetwork(error, now) }
        guard let hotspot else { return look(now) }
        join(hotspot, now)
    }

    mutating func look(_ now: MonotonicTime) {
        phase = .scanning
        stateDeadline = nil
        tell(.findHotspot, "Looking for the device's hotspot.")
        emit(.scan)
    }

    mutating func scanned(_ result: Result<[WiFiSighting], CommandError>, _ now: MonotonicTime) {
        switch phase {
        case .scanning: break
        case .awaiting: return lookedBack(result, now)
        default: return
        }
        switch result {
        case .failure(let error) where error.code == .capabilityMissing:
            ask(.hotspot, "The gateway's radio cannot look for networks. " + error.message, now)
        case .failure(let error):
            fail(PairingFailure(error, step: PairingStep.findHotspot.rawValue).retrying(from: .findHotspot))
        case .success(let networks):
            let found = hotspots(in: networks)
            let sure = found.filter { $0.match == .surely }
            if sure.count == 1, let only = sure.first { return join(only.network.ssid, now) }
            offered = found.map(\.network.ssid)
            ask(
                .hotspot,
                sure.isEmpty ? "No hotspot of a device is in sight." : "Several devices wait to be paired.",
                now
            )
        }
    }

    mutating func join(_ ssid: String, _ now: MonotonicTime) {
        hotspot = ssid
        facts["hotspot"] = .string(ssid)
        phase = .joining
        stateDeadline = now + times.joining
        isAway = true
        tell(.joinHotspot, "Joining the hotspot \(ssid).")
        emit(.join(ssid: ssid))
    }

    mutating func joined(_ result: Result<WiFiPlace, CommandError>, _ now: MonotonicTime) {
        guard phase == .joining else { return }
        stateDeadline = nil
        switch result {
        case .failure(let error):
            // It came back for a moment only: the device is trying again.
            if sentAt != nil {
                note(.info, "the hotspot that came back cannot be joined", ["reason": error.message])
                return goHome(now)
            }
            fail(joinFailure(error))
        case .success(let place):
            self.place = place
            deviceAddress = settings.ports.device ?? place.gateway ?? place.firstAddress
            emit(.listen(place))
            isListening = true
            enter(place, now)
        }
    }

    func joinFailure(_ error: CommandError) -> PairingFailure {
        var failure = PairingFailure(error, step: PairingStep.joinHotspot.rawValue).retrying(from: .findHotspot)
        switch error.code {
        case .capabilityMissing: failure.code = .noRadio
        case .deviceBusy: break
        case .deviceNotFound: failure.code = .hotspotNotFound
        default: failure.code = .hotspotJoinFailed
        }
        failure.hint = failure.hint ?? "Keep the gateway near the device, check that it blinks slowly, and try again."
        return failure
    }

    private mutating func enter(_ place: WiFiPlace, _ now: MonotonicTime) {
        guard deviceAddress != nil else {
            return fail(PairingErrorCode.noChannel.failure("The device's address in its hotspot is not known."))
        }
        if let process {
            // Not the first time here.
            switch process {
            case .plus: return open(now)
            case .legacy:
                if mustSend { return send(now) }
                phase = .listening
                stateDeadline = now + times.listen
                return tell(.sendCredentials, "The hotspot came back; listening to the device before sending again.")
            }
        }
        switch order.method {
        case .hotspotPlus: decide(.plus, now)
        case .hotspotLegacy: decide(.legacy, now)
        default:
            if pincode != nil || place.isPlusNetwork { return decide(.plus, now) }
            phase = .recognising
            stateDeadline = now + times.recognising
            tell(.openChannel, "Finding out how the device wants to be paired.")
            openDoor()
        }
    }

    mutating func decide(_ process: Process, _ now: MonotonicTime) {
        self.process = process
        facts["process"] = .string(process == .plus ? "ap-plus" : "ap-legacy")
        note(.info, "a device in its hotspot is paired", ["process": process.rawValue])
        switch process {
        case .plus:
            steps = TuyaPairingMethod.hotspotPlus.steps
            open(now)
        case .legacy:
            closeChannel()
            if order.method != .hotspotLegacy {
                steps = TuyaPairingMethod.hotspotPlus.steps.filter {
                    ![.openChannel, .queryDevice, .listNetworks].contains($0)
                }
            }
            if ssid == nil || password == nil { return askNetwork(nil, now) }
            needToken(for: .send, now)
        }
    }

    mutating func lost(_ ssid: String, _ now: MonotonicTime) {
        guard ssid == hotspot, place != nil else { return }
        closeHotspot()
        place = nil
        switch phase {
        case .configuring: accepted("The hotspot went with the answer.", now)
        case .sending: accepted("The device has closed its hotspot.", now)
        case .listening: goHome(now)
        case .asking, .fetchingToken:
            // The answer finds the way back.
            emit(.leave)
            isAway = false
            note(.info, "the hotspot went while a question was open")
        case .reporting: goHome(now)
        case .recognising, .opening, .querying, .listing:
            if sentAt != nil { return goHome(now) }
            fail(PairingErrorCode.noChannel.failure("The device's hotspot went away."))
        default: break
        }
    }
}

extension WiFiPlace {
    /// The new process gives out addresses of 192.168.176.0/24.
    fileprivate var isPlusNetwork: Bool {
        let octets = address.split(separator: ".")
        return octets.count == 4 && octets[0] == "192" && octets[1] == "168" && octets[2] == "176"
    }

    /// The first address of the network, where the device is.
    fileprivate var firstAddress: String? {
        guard let own = SocketAddress(ip: address, port: 0)?.ipv4, (8...30).contains(prefix) else { return nil }
        let mask = UInt32.max << UInt32(32 - prefix)
        return SocketAddress(ipv4: own & mask | 1, port: 0).ip
    }
}

extension PairingFailure {
    /// The same, with the step to begin a new try at.
    func retrying(from step: PairingStep) -> PairingFailure {
        var failure = self
        failure.retryFrom = step.rawValue
        return failure
    }
}
