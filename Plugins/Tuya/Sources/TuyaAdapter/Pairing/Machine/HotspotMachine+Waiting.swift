import EventLoop
import HomeModel
import JSON
import TuyaProtocol

// What becomes of the credentials: the cloud, the home's network and the hotspot each tell a part of it.
extension HotspotMachine {
    mutating func waitForDevice(_ now: MonotonicTime) {
        phase = .awaiting
        stateDeadline = nil
        nextLook = now + times.lookBack
        tell(.deviceJoins, "The device joins the network, which takes up to a minute.")
        beginPolling(now)
    }

    mutating func beginPolling(_ now: MonotonicTime) {
        if !isWatching { emit(.watchLAN(true)) }
        isWatching = true
        guard order.hasCloud, nextPoll == nil else { return }
        nextPoll = now + times.poll
    }

    /// Whether the device has what it needs, and nobody knows yet what came of it.
    private var isOpen: Bool {
        switch phase {
        case .sending, .listening, .leaving, .awaiting: true
        case .asking(.sameWiFi), .asking(.network), .asking(.token), .joining, .opening, .querying, .reporting,
            .configuring,
            .fetchingToken:
            sentAt != nil
        default: false
        }
    }

    // MARK: The cloud

    mutating func poll(_ now: MonotonicTime) {
        guard isOpen, !pollIsOut, let token = ticket?.token else { return }
        pollIsOut = true
        nextPoll = nil
        emit(.poll(token))
    }

    mutating func polled(_ result: Result<PairingPoll, PairingFailure>, _ now: MonotonicTime) {
        pollIsOut = false
        guard isOpen else { return }
        let isLate = sentAt.map { now - $0 > .seconds(30) } ?? false
        nextPoll = now + (isLate ? times.latePoll : times.poll)
        switch result {
        case .success(.pending): pollFailingSince = nil
        case .success(.paired(let ids, let failures)):
            for failure in failures { note(.warning, "the cloud refused a device beside", ["code": failure.code]) }
            guard let id = ids.first else { return }
            paired(id, now)
        case .success(.failed(let failures)):
            pollFailingSince = nil
            tokenIsSpent = true
            let failure = failures.first ?? PairingPoll.Failure(deviceID: "", code: "", message: "")
            fail(PairingFailure(refused: failure))
        case .success(.cloudError(let outcome)):
            cloudTrouble(
                PairingFailure(CloudError(.refused(outcome), "The cloud says \(outcome.name)."), step: step),
                now
            )
        case .failure(let failure): cloudTrouble(failure, now)
        }
    }

    private mutating func cloudTrouble(_ failure: PairingFailure, _ now: MonotonicTime) {
        // In the hotspot there may be no way to the cloud.
        guard phase == .awaiting else { return pollFailingSince = nil }
        let since = pollFailingSince ?? now
        pollFailingSince = since
        guard now - since >= times.pollPatience else { return }
        var final = PairingErrorCode.cloudRequestFailed.failure()
        final.message += " \(failure.message)"
        fail(final)
    }

    private mutating func paired(_ id: String, _ now: MonotonicTime) {
        pairedID = id
        facts["device"] = .string(id)
        nextPoll = nil
        nextLook = nil
        overall = nil
        closeAll()
        phase = .fetching
        stateDeadline = now + times.findOnLAN
        tell(.findOnLAN, "The device is paired; its key is fetched.")
        emit(.fetchDevice(id))
    }

    mutating func described(_ result: Result<CloudDevice, PairingFailure>, mayRepeat: Bool, _ now: MonotonicTime) {
        guard phase == .fetching else { return }
        switch result {
        case .failure where mayRepeat: nextAttempt = now + times.poll
        case .failure(let failure): keyMissing(failure.message)
        case .success(let device):
            guard device.localKey != nil else { return keyMissing("The cloud shows no key for it.") }
            adopted = device
            let sighting = lastSighting.flatMap { $0.id == device.id ? $0 : nil }
            emit(.adopt(device, at: sighting))
            guard phase == .fetching else { return }
            found(sighting != nil, now)
        }
    }

    mutating func keyMissing(_ reason: String) {
        fail(
            PairingFailure(
                .keyMissing,
                "The device is paired, and its local key is not known. \(reason)",
                hint: "Get the key with the method cloud, or give it with import or manual.",
                step: PairingStep.handshake.rawValue
            )
        )
    }

    // MARK: The home's network

    mutating func sighted(_ sighting: LANSighting, _ now: MonotonicTime) {
        if let pairedID {
            guard sighting.id == pairedID else { return }
            lastSighting = sighting
            if phase == .finding { found(true, now) }
            return
        }
        guard isOpen, isOurs(sighting) else { return }
        lastSighting = sighting
        if sighting.isActivated == true {
            facts["device"] = .string(sighting.id)
            facts["address"] = .string(sighting.source.ip)
            return activated(sighting, now)
        }
        wasSeenInactive = true
        if let level = sighting.securityLevel, level > 0, process == .legacy, !isSecurityLevel {
            isSecurityLevel = true
            facts["uuid"] = .string(sighting.uuid ?? sighting.id)
            facts["security_level"] = JSON(level)
            closeAll()
            nextAttempt = nil
            ask(
                .sameWiFi,
                "The device has a security level and goes on only with a client in its own network: connect the gateway to "
                    + "\(ssid ?? "the network that the device joined"), then continue.",
                now
            )
        }
    }

    private func isOurs(_ sighting: LANSighting) -> Bool {
        if let uuid = device?.uuid ?? order.uuid { return sighting.uuid == uuid || sighting.id == uuid }
        return !sighting.isOld
    }

    private mutating func activated(_ sighting: LANSighting, _ now: MonotonicTime) {
        guard order.hasCloud else {
            return fail(
                PairingFailure(
                    .keyMissing,
                    "The device \(sighting.id) has joined the network and was activated; its local key is not known here.",
                    hint: "Get the key from the account that the token belongs to, then use import or manual.",
                    step: PairingStep.handshake.rawValue
                )
            )
        }
        // The cloud knows by now; why wait for the next question's turn.
        if phase == .sending { goHome(now, "The device is on the network.") }
        if !pollIsOut { nextPoll = now }
    }

    mutating func neighbour(_ isNear: Bool, _ now: MonotonicTime) {
        guard isSecurityLevel, phase == .awaiting else { return }
        guard isNear else {
            let error = PairingFailure(
                "wrong_network",
                "The gateway has no address in the device's network.",
                hint: "Connect the gateway to the network that the device joined, by cable or by Wi-Fi.",
                step: PairingStep.confirmSameWiFi.rawValue
            )
            return ask(.sameWiFi, error.message, error: error, now)
        }
        waitForDevice(now)
    }

    // MARK: The hotspot came back

    mutating func lookBack(_ now: MonotonicTime) {
        guard phase == .awaiting else { return nextLook = nil }
        nextLook = now + times.lookBack
        emit(.scan)
    }

    mutating func lookedBack(_ result: Result<[WiFiSighting], CommandError>, _ now: MonotonicTime) {
        guard hasLeft, let hotspot, !isSecurityLevel, pairedID == nil else { return }
        guard case .success(let networks) = result, networks.contains(where: { $0.ssid == hotspot }) else { return }
        note(.info, "the device's hotspot came back")
        nextLook = nil
        join(hotspot, now)
    }

    /// The device is back in its hotspot, for this reason or for none that it tells.
    mutating func returned(_ told: PairingErrorCode?, _ now: MonotonicTime) {
        let code = told ?? (wasSeenInactive ? .cloudActivationFailed : .cannotConnectToRouter)
        if code == .cloudActivationFailed || code == .activationRequestFailed { tokenIsSpent = true }
        var error = code.failure()
        if code == .cannotConnectToRouter, let ssid, !networks.isEmpty, !networks.contains(where: { $0.ssid == ssid }) {
            error.message += " It did not see a network named \(ssid)."
        }
        if code == .wrongPassword || code == .cannotConnectToRouter { password = nil }
        wasSeenInactive = false
        askNetwork(error, now)
    }

    // MARK: The device is ours

    private mutating func found(_ isSeen: Bool, _ now: MonotonicTime) {
        if isSeen {
            phase = .handshaking
            stateDeadline = now + times.handshake
            tell(.handshake, "The device is on the network; agreeing on its key.")
        } else {
            phase = .finding
            stateDeadline = now + times.findOnLAN
            tell(.findOnLAN, "Looking for the device on the network.")
        }
    }

    mutating func linked(_ status: LinkStatus, _ now: MonotonicTime) {
        guard phase == .finding || phase == .handshaking || phase == .fetching, let device = adopted else { return }
        switch status {
        case .online: succeed(device.id, "The device is paired and can be controlled.")
        case .offline(let failure): lastTrouble = failure
        case .starting: break
        }
    }

    /// The device is paired and kept, and cannot be reached yet.
    mutating func unreached(_ device: CloudDevice) {
        if case .keyRefused = lastTrouble {
            return fail(
                PairingFailure(
                    .handshakeFailed,
                    "The device is on the network and refuses the key that the cloud gave.",
                    hint: "Pair it again, or read the key anew with the method cloud.",
                    step: PairingStep.handshake.rawValue,
                    retryFrom: PairingStep.token.rawValue
                )
            )
        }
        facts["warning"] = .string(PairingCode.notOnLAN.rawValue)
        succeed(
            device.id,
            "The device is paired and its key is kept; it has not been reached on the home's network yet."
        )
    }
}
