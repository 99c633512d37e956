package import EventLoop
import HomeModel
package import TuyaProtocol

// What beacons change. Anyone can send one, so that none of them ends a session that works.
extension SessionMachine {
    /// A beacon told where the device is and what it speaks.
    package mutating func sighted(at place: SocketAddress?, version: ProtocolVersion?, now: MonotonicTime) {
        if let version { announced(version, now) }
        if shared.settings.address == nil, let place { sighted(at: place, now) }
        guard case .waiting = phase, shared.settings.localKey != nil else { return }
        switch status {
        case .offline(.addressUnknown): nextAttempt = now
        // It is awake now, and will not be for long.
        case .offline(.asleep): nextAttempt = now
        // It is back sooner than anyone dared to hope; a little later, since others may be back, too.
        case .offline(.unreachable): hasten(to: now + policy.firstDelay(spread: times.quickRetryLast))
        default: break
        }
    }

    private mutating func announced(_ version: ProtocolVersion, _ now: MonotonicTime) {
        let changes = choice.announce(version)
        switch phase {
        case .idle, .connecting, .quiet, .negotiating: break
        case .waiting:
            // Probing waits for this very news, and an unsupported version may have become a supported one.
            guard choice.pinned == nil, self.version != version else { return }
            if changes { setStatus(.offline(.versionChanged(version))) }
            hasten(to: now)
        case .querying, .online:
            guard changes, self.version != version else { return }
            doubt(now)
        }
    }

    private mutating func sighted(at place: SocketAddress, _ now: MonotonicTime) {
        let before = address
        guard before != place else {
            sightedElsewhere = nil
            return
        }
        switch phase {
        case .idle:
            address = place
        case .waiting:
            address = place
            guard let before else { return hasten(to: now) }
            moved(from: before, to: place)
            setStatus(.offline(.addressMoved))
            hasten(to: now)
        case .connecting, .quiet, .negotiating:
            sightedElsewhere = place
        case .querying, .online:
            sightedElsewhere = place
            doubt(now)
        }
    }

    /// Asks the device where it was known to be; only silence there shows that a beacon is right.
    private mutating func doubt(_ now: MonotonicTime) {
        guard sightedUntil == nil else { return }
        sightedUntil = now + times.setAnswer
        lastHeardBeforeSighting = lastHeard
        sendHeartbeat(now)
    }

    /// Decides whether a device that was heard elsewhere, or with another version, has really changed.
    mutating func judgeSighting(_ now: MonotonicTime) {
        guard let until = sightedUntil, now >= until else { return }
        sightedUntil = nil
        let place = sightedElsewhere
        sightedElsewhere = nil
        guard lastHeard == lastHeardBeforeSighting else { return }
        if let place {
            moved(from: address, to: place)
            address = place
            end(.addressMoved, .moved, now)
        } else if let version = choice.announced, version != self.version {
            let before = self.version?.text ?? "unknown"
            note(.notice, "the device speaks another protocol version", ["from": before, "to": version.text])
            end(.versionChanged(version), .moved, now)
        }
    }

    mutating func moved(from before: SocketAddress?, to place: SocketAddress) {
        note(.notice, "the device has another address", ["from": before?.ip ?? "unknown", "to": place.ip])
    }

    /// Attempts sooner what would have been attempted later.
    private mutating func hasten(to moment: MonotonicTime) {
        let soon = earliestAttempt(moment)
        if let nextAttempt, nextAttempt <= soon { return }
        nextAttempt = soon
    }

    /// That moment, or later where the last attempt, or the last negotiation, was only just: a flood of beacons is no reason
    /// to flood the network.
    private func earliestAttempt(_ moment: MonotonicTime) -> MonotonicTime {
        var earliest = moment
        if let lastAttempt { earliest = max(earliest, lastAttempt + times.retryUnit) }
        if let lastNegotiation { earliest = max(earliest, lastNegotiation + times.negotiationPause) }
        return earliest
    }
}
