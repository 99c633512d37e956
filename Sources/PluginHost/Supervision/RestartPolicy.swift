package import EventLoop

/// When a plugin that crashed is started again: at once, then after longer and longer times, then hardly ever.
///
/// A value that is told what happened and says what to do. Five crashes within ten minutes are quarantine: from then on the
/// plugin is tried now and again, and leaves quarantine with the first try that lasts.
package struct RestartPolicy: Sendable {
    /// The numbers of the policy.
    package struct Rules: Sendable, Equatable {
        /// The delay before the second restart.
        ///
        /// It doubles with each further one; the first restart has none.
        package var firstDelay = Duration.seconds(1)
        /// The longest delay.
        package var longestDelay = Duration.seconds(60)
        /// The part of a delay that is left to chance, 0...1.
        package var jitter = 0.25
        /// How many crashes within the window are quarantine.
        package var quarantineCrashes = 5
        /// The time within which crashes are counted.
        package var quarantineWindow = Duration.seconds(600)
        /// The time between tries in quarantine.
        package var quarantineDelay = Duration.seconds(300)
        /// A run of this length wipes the slate.
        package var stable = Duration.seconds(60)

        package init() {}
    }

    /// What to do after a crash.
    package enum Decision: Sendable, Equatable {
        /// Start again after a delay, zero for at once.
        case restart(after: Duration)
        /// Leave it alone, but for a try after a delay.
        case quarantine(retryAfter: Duration)
    }

    private let rules: Rules
    /// The moments of crashes within the window, oldest first.
    private var crashes: [MonotonicTime] = []
    /// Restarts since the last stable run.
    private var restarts = 0
    /// Whether the plugin is in quarantine, also while it is being tried.
    package private(set) var isQuarantined = false

    /// Makes a policy for a plugin that has never crashed.
    package init(_ rules: Rules = Rules()) { self.rules = rules }

    /// The plugin has crashed, hung or failed to start.
    ///
    /// - Parameter chance: 0..<1, what falls to the jitter.
    package mutating func crashed(at now: MonotonicTime, chance: Double) -> Decision {
        crashes.removeAll { now - $0 >= rules.quarantineWindow }
        crashes.append(now)
        if isQuarantined || crashes.count >= rules.quarantineCrashes {
            isQuarantined = true
            crashes.removeFirst(max(0, crashes.count - rules.quarantineCrashes))
            return .quarantine(retryAfter: rules.quarantineDelay)
        }
        restarts += 1
        guard restarts > 1 else { return .restart(after: .zero) }
        var delay = rules.firstDelay
        for _ in 2..<restarts where delay < rules.longestDelay { delay = delay * 2 }
        return .restart(after: min(delay, rules.longestDelay) * (1 - rules.jitter * chance))
    }

    /// The plugin has run for as long as the rules call stable.
    package mutating func becameStable() {
        restarts = 0
        if isQuarantined {
            isQuarantined = false
            crashes = []
        }
    }
}
