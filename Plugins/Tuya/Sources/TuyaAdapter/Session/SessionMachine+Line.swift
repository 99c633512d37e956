package import EventLoop
import TuyaProtocol

// Getting a connection: when, to where, in which version.
extension SessionMachine {
    /// Begins to reach the device.
    ///
    /// - Parameter spread: the first attempt comes at a random time up to this.
    package mutating func start(at now: MonotonicTime, spread: Duration = .zero) {
        guard case .idle = phase else { return }
        phase = .waiting
        guard shared.settings.localKey != nil else { return fail(.keyMissing) }
        nextAttempt = now + policy.firstDelay(spread: spread)
    }

    /// Leaves the device alone.
    package mutating func stop() {
        disconnect()
        phase = .idle
        nextAttempt = nil
        abandonRequests(with: LinkStatus.starting.commandError)
        status = .starting
    }

    mutating func attempt(_ now: MonotonicTime) {
        nextAttempt = nil
        lastAttempt = now
        guard let address else { return fail(.addressUnknown) }
        switch choice.step(at: now, times) {
        case .unsupported(let text): return fail(.unsupportedVersion(text))
        case .wait(let moment):
            nextAttempt = moment
        case .speak(let version, let headerText):
            self.version = version
            self.headerText = headerText
            phase = .connecting
            let deadline = shared.settings.isBatteryPowered ? times.wakeConnect : times.connect
            emit(.connect(to: address, within: deadline))
        }
    }

    /// A connection stands.
    package mutating func connected(at now: MonotonicTime) {
        guard case .connecting = phase else { return }
        counters.connects += 1
        decoder = StreamDecoder(returnCodes: .whereSmall)
        writer = nil
        sequence = 0
        connectedAt = now
        lastSent = now
        lastHeard = now
        heardAnything = false
        undecipherable = 0
        complaints = 0
        sawBadSeal = false
        wasQuiet = false
        guard !startsQuietly else {
            startsQuietly = false
            phase = .quiet
            answerDeadline = now + times.quietStart
            return
        }
        greet(now)
    }

    /// Sends the first frame: of the negotiation, or the question for the state.
    mutating func greet(_ now: MonotonicTime) {
        guard let version, let key = shared.settings.localKey else { return }
        guard version.negotiates else { return beginSession(now) }
        do throws(TuyaProtocolError) {
            let negotiation = try Negotiation(version: version, localKey: key, nonce: rules.makeNonce())
            phase = .negotiating(negotiation)
            lastNegotiation = now
            answerDeadline = now + times.answer
            transmit(try negotiation.start(sequence: nextSequence()), now)
        } catch {
            end(.unreachable(.lost), .failed, now, because: error.code)
        }
    }

    /// A connection could not be made.
    package mutating func connectFailed(_ error: LoopError, at now: MonotonicTime) {
        guard case .connecting = phase else { return }
        switch error {
        case .refused where isRestarting(now): end(.unreachable(.restarting), .failed, now)
        case .refused: end(.held(.refused), .held, now)
        case .timedOut: end(.unreachable(.timedOut), .failed, now)
        case .unreachable: end(.unreachable(.noRoute), .failed, now)
        default: end(.unreachable(.lost), .failed, now, because: "\(error)")
        }
    }

    /// Whether the device was there so recently that it is more likely to restart than to be held by somebody.
    private func isRestarting(_ now: MonotonicTime) -> Bool {
        guard let lastWorked else { return false }
        return now - lastWorked < times.heldPause
    }

    /// The device, or the network, closed the connection.
    package mutating func closed(_ error: LoopError?, at now: MonotonicTime) {
        let cause = error.map { "\($0)" } ?? "closed by the device"
        let wasAtOnce = now - connectedAt <= times.atOnce
        switch phase {
        case .idle, .waiting, .connecting: break
        case .quiet:
            end(.held(.closedAtOnce), .held, now, because: cause)
        case .negotiating where sawBadSeal:
            end(.keyRefused(.undecipherable), .negotiationFailed, now, because: cause)
        // A device that has agreed on a session key had a connection to give.
        case .querying where version?.negotiates == true && !heardAnything:
            closedUnanswered(now, cause)
        case .negotiating where wasAtOnce && !wasQuiet, .querying where wasAtOnce && !wasQuiet && !heardAnything:
            // Taken connections, or a first frame that the device did not like? The next attempt tells.
            startsQuietly = true
            end(.held(.closedAtOnce), .negotiationFailed, now, because: cause)
        case .negotiating:
            end(.keyRefused(.closed), .negotiationFailed, now, because: cause)
        case .querying where !heardAnything:
            closedUnanswered(now, cause)
        case .querying, .online:
            dropped(now, cause)
        }
    }

    /// The device closed after our question without a word.
    private mutating func closedUnanswered(_ now: MonotonicTime, _ cause: String) {
        guard let version else { return }
        if version.negotiates {
            // The key was agreed on; the vendor's SDK takes one session key in 256 for none and then does this.
            deadSessions += 1
            guard deadSessions > 1 else {
                return end(.unreachable(.lost), .deadKey, now, because: cause, quietly: true)
            }
            end(.keyRefused(.closed), .negotiationFailed, now, because: cause)
        } else {
            choice.suspect(.v35)
            end(.versionRefused(spoken: version, announced: choice.announced), .negotiationFailed, now, because: cause)
        }
    }

    mutating func dropped(_ now: MonotonicTime, _ cause: String, _ how: LinkFailure.Break = .lost) {
        if let lastRefresh, now - lastRefresh < times.answer { refreshHold = now + times.refreshHold }
        let uptime = onlineSince.map { now - $0 } ?? .zero
        end(.unreachable(how), .dropped(after: uptime), now, because: cause)
    }
}
