package import EventLoop
import HomeModel
import TuyaProtocol

// What time brings.
extension SessionMachine {
    /// When ``timeout(at:)`` is to be called next; it may be called sooner or more often.
    package var deadline: MonotonicTime? {
        switch phase {
        case .idle, .connecting: nil
        case .waiting: nextAttempt
        case .quiet, .negotiating: Self.earliest(answerDeadline, frameDeadline)
        case .querying, .online: connectedDeadline
        }
    }

    private var connectedDeadline: MonotonicTime {
        var first = min(lastSent + times.heartbeat, lastHeard + times.deadPeer)
        func consider(_ moment: MonotonicTime?) {
            if let moment, moment < first { first = moment }
        }
        consider(answerDeadline)
        consider(frameDeadline)
        consider(nextQuery)
        consider(settleAt)
        consider(sightedUntil)
        consider(childList?.completeAt)
        switch inFlight {
        case .set(let set, _)? where !set.tickets.isEmpty: consider(set.deadline)
        case .set?, .query?: break
        case nil:
            consider(nextRefresh)
            if !sets.isEmpty { consider(nextSet) }
        }
        if !sets.isEmpty { consider(sets.firstDeadline) }
        return first
    }

    private static func earliest(_ one: MonotonicTime?, _ other: MonotonicTime?) -> MonotonicTime? {
        guard let one, let other else { return one ?? other }
        return min(one, other)
    }

    /// Does what is due.
    package mutating func timeout(at now: MonotonicTime) {
        switch phase {
        case .idle, .connecting: break
        case .waiting:
            if let nextAttempt, now >= nextAttempt { attempt(now) }
        case .quiet:
            guard isPast(answerDeadline, now) else { break }
            answerDeadline = nil
            wasQuiet = true
            greet(now)
        case .negotiating:
            if isPast(answerDeadline, now) || isPast(frameDeadline, now) { negotiationTimedOut(now) }
        case .querying, .online:
            connectedTimeout(now)
        }
    }

    private func isPast(_ moment: MonotonicTime?, _ now: MonotonicTime) -> Bool {
        guard let moment else { return false }
        return now >= moment
    }

    private mutating func negotiationTimedOut(_ now: MonotonicTime) {
        if sawBadSeal { return end(.keyRefused(.undecipherable), .negotiationFailed, now) }
        silentNegotiations += 1
        // A device that worked a moment ago more likely hangs than has a new key.
        let mayHang = hasWorked && silentNegotiations < 3
        end(mayHang ? .unreachable(.silent) : .keyRefused(.silence), .negotiationFailed, now)
    }

    private mutating func connectedTimeout(_ now: MonotonicTime) {
        if isPast(frameDeadline, now) { return dropped(now, "incomplete frame") }
        if now >= lastHeard + times.deadPeer { return dropped(now, "dead peer", .mute) }
        judgeSighting(now)
        if isConnected, isPast(answerDeadline, now) { answerTimedOut(now) }
        guard isConnected else { return }
        releaseCallers(now)
        if isPast(settleAt, now) { askForMissing(now) }
        if let list = childList, now >= list.completeAt {
            childList = nil
            emit(.children(online: list.online, offline: list.offline))
        }
        if isPast(nextQuery, now), let interval = shared.settings.queryInterval {
            nextQuery = now + interval
            queries.add(child: nil)
            for child in children { queries.add(child: child) }
        }
        pump(now)
        if now >= lastSent + times.heartbeat { sendHeartbeat(now) }
    }

    /// Tells callers whose time is up; what they wanted may still happen.
    private mutating func releaseCallers(_ now: MonotonicTime) {
        let error = CommandError(.timeout, "The device did not answer in time.")
        for set in sets.expired(at: now) { emit(.setEnded(set.tickets, .failure(error))) }
        guard case .set(var set, let progress)? = inFlight, now >= set.deadline, !set.tickets.isEmpty else { return }
        emit(.setEnded(set.tickets, progress.wasTouched ? .success(.acknowledged) : .failure(error)))
        set.tickets = []
        inFlight = .set(set, progress)
    }

    private mutating func askForMissing(_ now: MonotonicTime) {
        settleAt = nil
        mustSettle = false
        unreported = []
        queries.add(child: unreportedChild)
    }

    private mutating func answerTimedOut(_ now: MonotonicTime) {
        answerDeadline = nil
        switch inFlight {
        case .set(let set, let progress)?: setTimedOut(set, progress, now)
        case .query(let part)?: queryTimedOut(part, now)
        case nil: break
        }
    }

    private mutating func setTimedOut(_ set: PendingSet, _ progress: SetProgress, _ now: MonotonicTime) {
        var progress = progress
        if progress.restIsDue {
            progress.restIsDue = false
            send(.set(set.points, child: set.child), now)
            answerDeadline = now + times.setAnswer
            nextSet = now + times.setPause
            inFlight = .set(set, progress)
        } else if progress.wasTouched {
            endSet(set, .success(.acknowledged), now)
        } else if progress.attempt == 1, set.isRepeatable, now < set.deadline {
            progress.attempt = 2
            counters.retries &+= 1
            transmit(set, &progress, now)
            inFlight = .set(set, progress)
        } else {
            counters.timeouts &+= 1
            endSet(set, .failure(CommandError(.timeout, "The device did not answer.")), now)
        }
    }

    private mutating func queryTimedOut(_ part: QueryPart, _ now: MonotonicTime) {
        guard complaints == 0 else { return begin(part, now) }
        counters.timeouts &+= 1
        guard case .querying = phase else {
            if case .listed = part { queries.note(answered: []) }
            return endQuery(part, CommandError(.timeout, "The device did not answer."), now)
        }
        unansweredQueries += 1
        guard unansweredQueries > 1 else {
            sendHeartbeat(now)
            return begin(part, now)
        }
        judgeSilence(part, now)
    }

    /// The first question was asked twice and not answered.
    private mutating func judgeSilence(_ part: QueryPart, _ now: MonotonicTime) {
        let negotiated = version?.negotiates == true
        switch (heardAnything, negotiated) {
        case (true, true):
            // Key and version are proven; the device only does not like questions.
            queries.giveUp()
            succeed(now)
            endQuery(part, nil, now)
        case (true, false):
            end(.keyRefused(.heartbeatsOnly), .negotiationFailed, now)
        case (false, true) where deadSessions == 0:
            deadSessions += 1
            end(.unreachable(.lost), .deadKey, now, because: "dead session", quietly: true)
        case (false, _):
            end(.unreachable(.silent), .negotiationFailed, now)
        }
    }
}
