package import EventLoop
import HomeModel
import TuyaProtocol

// What time brings.
extension HotspotMachine {
    /// When ``timeout(at:)`` is to be called next; it may be called sooner or more often.
    package var deadline: MonotonicTime? {
        [overall, stateDeadline, nextAttempt, nextPoll, nextLook].compactMap { $0 }.min()
    }

    /// Does what is due.
    package mutating func timeout(at now: MonotonicTime) {
        guard phase != .over else { return }
        if let overall, now >= overall { return timedOut() }
        if isPast(stateDeadline, now) {
            stateDeadline = nil
            stateTimedOut(now)
        }
        if isPast(nextAttempt, now) {
            nextAttempt = nil
            attempt(now)
        }
        if isPast(nextPoll, now) {
            nextPoll = nil
            poll(now)
        }
        if isPast(nextLook, now) {
            nextLook = nil
            lookBack(now)
        }
    }

    private func isPast(_ moment: MonotonicTime?, _ now: MonotonicTime) -> Bool {
        guard let moment else { return false }
        return now >= moment
    }

    private mutating func timedOut() {
        if isSecurityLevel {
            return fail(
                PairingErrorCode.cloudActivationFailed.failure(
                    "The device was not activated in time: it has a security level, and what it wants on the network is "
                        + "not known.",
                    hint: "Pair it in the vendor's app and bring it in with the method cloud, or with import."
                )
            )
        }
        fail(PairingErrorCode.timedOut.failure(step: step))
    }

    private mutating func attempt(_ now: MonotonicTime) {
        switch phase {
        case .sending: sendDatagram(now)
        case .opening, .recognising: if !channelIsOpen { openDoor() }
        case .fetching: if let pairedID { emit(.fetchDevice(pairedID)) }
        default: break
        }
    }

    private mutating func stateTimedOut(_ now: MonotonicTime) {
        switch phase {
        case .joining:
            if sentAt != nil { return goHome(now) }
            fail(
                PairingFailure(
                    .hotspotJoinFailed,
                    "The gateway's radio did not get into the hotspot within \(times.joining.components.seconds) s.",
                    hint: "Keep the gateway near the device, check that it blinks slowly, and try again.",
                    step: PairingStep.joinHotspot.rawValue,
                    retryFrom: PairingStep.findHotspot.rawValue
                )
            )
        case .recognising:
            closeChannel()
            decide(.legacy, now)
        case .opening:
            closeChannel()
            if sentAt != nil, !mustSend { return goHome(now) }
            fail(PairingErrorCode.noChannel.failure())
        case .querying: fail(PairingErrorCode.unknownDeviceState.failure("The device does not say how it is."))
        case .reporting: returned(nil, now)
        case .listing: noList(.listFailed, now)
        // Answers get lost when the hotspot goes down, so that no answer is no refusal.
        case .configuring: accepted("The device did not answer and may have taken the network.", now)
        case .sending: sendSecondPart()
        case .listening: needToken(for: .send, now)
        case .leaving:
            note(.warning, "the radio takes long to come back")
            waitForDevice(now)
        case .fetching: keyMissing("The cloud did not tell it in time.")
        case .finding, .handshaking: if let adopted { unreached(adopted) }
        case .idle, .fetchingToken, .scanning, .asking, .awaiting, .over: break
        }
    }
}
