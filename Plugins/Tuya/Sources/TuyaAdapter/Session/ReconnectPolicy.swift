/// How long to wait before the next attempt to reach a device.
///
/// Fast after a session that worked, slower with each failure, and never so that many devices that dropped together come
/// back together. Source: protocol description, section 3.10.
package struct ReconnectPolicy: Sendable {
    /// How an attempt or a session ended.
    package enum Ending: Sendable, Equatable {
        /// A session that had worked broke off after this time.
        case dropped(after: Duration)
        /// No connection, or no session on it.
        case failed
        /// No session, and the device may lock up if it is asked again too soon.
        case negotiationFailed
        /// Another client holds the device's connections.
        case held
        /// The key does not fit; only a person can change that.
        case keyRefused
        /// The session's key is one that the device takes for none; another try will do.
        case deadKey
        /// The device is elsewhere, or speaks another version, and this is known.
        case moved
        /// A device that sleeps went back to sleep, or still does.
        case asleep
    }

    /// Delays after failures in a row, in ``SessionTimes/retryUnit``.
    private static let ladder = [1, 2, 5, 10, 30, 60]

    private var failures = 0
    private var random: RandomSource

    package init(seed: UInt64) { random = RandomSource(seed: seed) }

    /// The time to wait; to be asked once per ending.
    package mutating func delay(after ending: Ending, _ times: SessionTimes) -> Duration {
        switch ending {
        case .dropped(let uptime):
            if uptime >= times.stableSession { failures = 0 }
            guard uptime >= times.goodSession else { return climb(times) }
            return random.duration(in: times.quickRetryFirst...max(times.quickRetryFirst, times.quickRetryLast))
        case .failed: return climb(times)
        case .negotiationFailed: return max(jittered(times.negotiationPause), climb(times))
        case .held: return jittered(times.heldPause)
        case .keyRefused: return jittered(times.keyPause)
        case .deadKey: return jittered(times.deadKeyPause)
        case .moved:
            failures = 0
            return random.duration(in: .zero...times.quickRetryFirst)
        case .asleep: return times.wakeEvery
        }
    }

    /// A time before the first attempt, so that a house full of devices is not called in one instant.
    package mutating func firstDelay(spread: Duration) -> Duration { random.duration(in: .zero...spread) }

    private mutating func climb(_ times: SessionTimes) -> Duration {
        let step = Self.ladder[min(failures, Self.ladder.count - 1)]
        failures = min(failures + 1, Self.ladder.count)
        return jittered(times.retryUnit * step)
    }

    /// A fifth more or less.
    private mutating func jittered(_ delay: Duration) -> Duration {
        random.duration(in: (delay * 4 / 5)...(delay * 6 / 5))
    }
}
