import EventLoop
import HomeModel
import JSON
import TuyaProtocol

// The credentials on their way, in both processes.
extension HotspotMachine {
    mutating func send(_ now: MonotonicTime) {
        guard let ssid, let password, let place else {
            return ssid == nil || password == nil ? askNetwork(nil, now) : returnToHotspot(now)
        }
        let credentials: PairingCredentials
        do throws(PairingCredentials.Problem) {
            credentials = try PairingCredentials(
                ssid: ssid,
                password: password,
                token: ticket?.token,
                registration: process == .plus ? settings.registration : nil
            )
        } catch {
            return askNetwork(credentialProblem() ?? PairingErrorCode.wrongInformation.failure(), now)
        }
        mustSend = false
        switch process {
        case .plus?: configure(credentials, now)
        case .legacy?, nil: spread(credentials, place, now)
        }
    }

    /// The clock of the whole pairing runs from the first credentials on, through all tries.
    private mutating func startClock(_ now: MonotonicTime) {
        sentAt = now
        guard overall == nil else { return }
        // Further tries of this pairing use the same token; another pairing may not.
        try? ticket?.use(at: now)
        overall = now + (order.limit ?? (process == .plus ? times.plusLimit : times.legacyLimit))
    }

    // MARK: The new process

    private mutating func configure(_ credentials: PairingCredentials, _ now: MonotonicTime) {
        let body = credentials.body
        guard body.count <= HotspotCodec.maximumFrame - Self.frameOverhead else {
            return askNetwork(PairingErrorCode.wrongInformation.failure("The security configuration is too long."), now)
        }
        guard channelIsUp else { return returnToHotspot(now) }
        startClock(now)
        phase = .configuring
        stateDeadline = now + times.configuring
        tell(.sendCredentials, "Telling the device the network.")
        emit(.send(.hotspotCredentials, body: body))
    }

    /// Header, nonce, tag and suffix of a sealed frame.
    private static var frameOverhead: Int { 50 }

    mutating func configured(_ returnCode: Int32, _ now: MonotonicTime) {
        guard returnCode != 0 else { return accepted("The device has taken the network.", now) }
        var error = PairingErrorCode.wrongInformation.failure("The device did not take what it was sent.")
        error.hint = "Check name and password, then answer again; a token from elsewhere may be wrong, too."
        askNetwork(error, now)
    }

    // MARK: The old process

    private mutating func spread(_ credentials: PairingCredentials, _ place: WiFiPlace, _ now: MonotonicTime) {
        do throws(TuyaProtocolError) {
            _ = try LegacyPairing.datagram(credentials)
        } catch {
            return askNetwork(
                PairingErrorCode.wrongInformation.failure("Name and password are too long together for the device."),
                now
            )
        }
        startClock(now)
        phase = .sending
        stateDeadline = nil
        tell(.sendCredentials, "Telling the device the network, once a second, until it closes its hotspot.")
        beginPolling(now)
        sendDatagram(now)
    }

    mutating func sendDatagram(_ now: MonotonicTime) {
        guard phase == .sending, let place, let deviceAddress, let ssid, let password else { return }
        nextAttempt = now + times.datagram
        guard
            let credentials = try? PairingCredentials(ssid: ssid, password: password, token: ticket?.token),
            let datagram = try? LegacyPairing.datagram(credentials)
        else { return }
        emit(.datagram(datagram, to: place, address: deviceAddress))
    }

    mutating func announcedOld(_ address: String, _ now: MonotonicTime) {
        if phase == .recognising {
            deviceAddress = settings.ports.device ?? address
            return decide(.legacy, now)
        }
        guard phase == .sending, !oldChannelIsOpen, let place else { return }
        oldChannelIsOpen = true
        emit(.openOldChannel(address: address, interface: place.interface))
    }

    mutating func oldChannelUp(_ now: MonotonicTime) {
        guard phase == .sending, oldChannelIsOpen, let ssid, let password else { return }
        let network: JSON = ["ssid": .string(ssid), "passwd": .string(password)]
        emit(.sendOld(.legacyCredentials, body: network.serialized()))
        secondPartIsDue = true
        stateDeadline = now + times.secondPart
    }

    mutating func oldAnswer(_ command: Command, _ returnCode: Int32, _ now: MonotonicTime) {
        guard phase == .sending, oldChannelIsOpen else { return }
        if returnCode != 0 {
            note(.info, "the device refused credentials over its old channel", ["code": "\(returnCode)"])
        } else if command == .legacyCredentials {
            sendSecondPart()
        }
    }

    mutating func sendSecondPart() {
        guard secondPartIsDue else { return }
        secondPartIsDue = false
        stateDeadline = nil
        let token: JSON = ["token": .string(ticket?.token.text ?? "")]
        emit(.sendOld(.legacyToken, body: token.serialized()))
    }

    // MARK: Taken

    /// The device has the credentials, or may have: it goes to the network, and we go home.
    mutating func accepted(_ message: String, _ now: MonotonicTime) {
        note(.info, "a device has taken credentials", ["how": message])
        goHome(now, message)
    }

    mutating func goHome(_ now: MonotonicTime, _ message: String = "The hotspot is gone.") {
        closeHotspot()
        place = nil
        nextAttempt = nil
        hasLeft = true
        beginPolling(now)
        guard isAway else { return waitForDevice(now) }
        phase = .leaving
        stateDeadline = now + times.leaving
        tell(.returnHome, message + " The gateway goes back to its own network.")
        emit(.leave)
        isAway = false
    }

    mutating func left(_ error: CommandError?, _ now: MonotonicTime) {
        if let error { note(.warning, "the radio did not come back at once", ["reason": error.message]) }
        if phase == .leaving { waitForDevice(now) }
    }
}
