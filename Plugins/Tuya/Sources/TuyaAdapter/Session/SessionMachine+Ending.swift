import EventLoop
import HomeModel
import TuyaProtocol

// What follows from a failure.
extension SessionMachine {
    /// Ends the connection, tells what happened and plans the next attempt.
    ///
    /// - Parameters:
    ///   - cause: for diagnostics.
    ///   - quietly: nobody needs to know, since the next attempt will do.
    mutating func end(
        _ failure: LinkFailure,
        _ ending: ReconnectPolicy.Ending,
        _ now: MonotonicTime,
        because cause: String? = nil,
        quietly: Bool = false
    ) {
        if let cause { lastError = cause }
        let wasProbing = choice.isProbing
        let (spoken, elsewhere) = (version, sightedElsewhere)
        disconnect()
        if onlineSince != nil { lastWorked = now }
        onlineSince = nil
        phase = .waiting
        var failure = failure
        if shared.settings.isBatteryPowered, case .unreachable = failure { failure = .asleep }
        countVersionDoubt(failure, now)
        nextAttempt = now + delay(for: failure, ending, wasProbing: wasProbing)
        // While versions are tried, a wrong key cannot be told from a wrong version; only after all of them it is said.
        if wasProbing, failure.mayMeanAnotherVersion, let spoken, !isSearchOver(now) {
            failure = .versionSought(spoken)
        }
        if case .deadKey = ending {} else { nextAttempt = nextAttempt.map(earliest) }
        if let elsewhere, elsewhere != address {
            // It was heard there meanwhile; that is where it is tried next.
            moved(from: address, to: elsewhere)
            address = elsewhere
            failure = .addressMoved
            nextAttempt = nextAttempt.map { min($0, earliest(now + times.retryUnit)) }
        }
        abandonRequests(with: failure.commandError)
        if !quietly || status == .online { setStatus(.offline(failure)) }
    }

    private mutating func delay(for failure: LinkFailure, _ ending: ReconnectPolicy.Ending, wasProbing: Bool)
        -> Duration
    {
        if failure == .asleep { return policy.delay(after: .asleep, times) }
        let delay = policy.delay(after: ending, times)
        return wasProbing ? max(delay, times.probePause) : delay
    }

    /// Whether all versions have been tried and the next round is some time away.
    private func isSearchOver(_ now: MonotonicTime) -> Bool {
        var choice = choice
        if case .wait = choice.step(at: now, times) { return true }
        return false
    }

    /// Not before the last negotiation is long enough ago: 3.4 devices lock up otherwise.
    private func earliest(_ moment: MonotonicTime) -> MonotonicTime {
        guard let lastNegotiation else { return moment }
        return max(moment, lastNegotiation + times.negotiationPause)
    }

    /// What could mean that the version is wrong moves the choice of a version on.
    private mutating func countVersionDoubt(_ failure: LinkFailure, _ now: MonotonicTime) {
        switch failure {
        case .versionRefused, .keyRefused, .unreachable(.silent):
            choice.failed(at: now, times)
            if case .versionRefused = failure { choice.forgetProven() }
        case .held(.closedAtOnce):
            choice.failed(at: now, times)
        default: break
        }
    }

    /// Gives the attempt up until something changes from outside.
    mutating func fail(_ failure: LinkFailure) {
        phase = .waiting
        nextAttempt = nil
        setStatus(.offline(failure))
    }

    mutating func setStatus(_ new: LinkStatus) {
        guard new != status else { return }
        status = new
        emit(.statusChanged)
    }

    /// Forgets the connection.
    mutating func disconnect() {
        switch phase {
        case .idle, .waiting: break
        case .connecting, .quiet, .negotiating, .querying, .online: emit(.disconnect)
        }
        decoder = StreamDecoder(returnCodes: .whereSmall)
        codec = nil
        agreement = nil
        writer = nil
        answerDeadline = nil
        frameDeadline = nil
        nextQuery = nil
        nextRefresh = nil
        settleAt = nil
        mustSettle = false
        acknowledgementOwed = nil
        unansweredQueries = 0
        unreported = []
        childList = nil
        sightedElsewhere = nil
        sightedUntil = nil
    }

    /// Ends everything that waits for the device.
    mutating func abandonRequests(with error: CommandError?) {
        guard let error else { return }
        if case .set(let set, _) = inFlight { emit(.setEnded(set.tickets, .failure(error))) }
        inFlight = nil
        for set in sets.removeAll() { emit(.setEnded(set.tickets, .failure(error))) }
        queries.removeAll()
    }

    /// The device has shown that it understands us.
    mutating func succeed(_ now: MonotonicTime) {
        guard case .querying = phase, let version else { return }
        phase = .online
        onlineSince = now
        hasWorked = true
        silentNegotiations = 0
        deadSessions = 0
        counters.sessions += 1
        if choice.succeeded(with: version) { emit(.learned(version)) }
        if let interval = shared.settings.queryInterval { nextQuery = now + interval }
        if let refresh = shared.settings.refresh { nextRefresh = now + refresh.interval }
        setStatus(.online)
    }
}
