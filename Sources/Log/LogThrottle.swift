/// Rules how often the same thing is logged: at most so many times an interval, and then the number left out.
///
/// ```swift
/// switch throttle.admit("no answer \(device)", at: MonotonicTime.now.nanoseconds) {
/// case .pass(let suppressed): log.warning("no answer", ["suppressed": LogValue(suppressed)])
/// case .suppress: break
/// }
/// ```
package struct LogThrottle<Key: Hashable & Sendable>: Sendable {
    /// What to do with an event.
    package enum Decision: Equatable, Sendable {
        /// Log it, and how many like it were left out before.
        case pass(suppressed: Int)
        /// Leave it out.
        case suppress
    }

    private struct Window {
        var start: UInt64
        var passed = 0
        var suppressed = 0
    }

    private let limit: Int
    private let interval: UInt64
    private let capacity: Int
    private var windows: [Key: Window] = [:]

    /// Makes a throttle.
    ///
    /// - Parameters:
    ///   - limit: how many events of a key pass in an interval, at least 1.
    ///   - interval: counted from the first event of a key that passes.
    ///   - capacity: how many keys are remembered; beyond it those are forgotten whose interval began first.
    package init(limit: Int, interval: Duration, capacity: Int = 256) {
        self.limit = max(1, limit)
        let (seconds, attoseconds) = interval.components
        let whole = UInt64(clamping: seconds).multipliedReportingOverflow(by: 1_000_000_000)
        // Beyond 584 years it is for ever, which is meant.
        self.interval = whole.overflow ? .max : whole.partialValue &+ UInt64(clamping: attoseconds / 1_000_000_000)
        self.capacity = max(1, capacity)
    }

    /// Decides about an event.
    ///
    /// - Parameter now: nanoseconds of a monotonic clock.
    package mutating func admit(_ key: Key, at now: UInt64) -> Decision {
        guard var window = windows[key], !hasEnded(window, at: now) else {
            let suppressed = windows[key]?.suppressed ?? 0
            if windows[key] == nil { makeRoom(at: now) }
            windows[key] = Window(start: now, passed: 1)
            return .pass(suppressed: suppressed)
        }
        defer { windows[key] = window }
        if window.passed < limit {
            window.passed += 1
            return .pass(suppressed: 0)
        }
        window.suppressed += 1
        return .suppress
    }

    /// Takes the counts of intervals that are over, so that what was left out is told even if it never comes again.
    ///
    /// - Returns: the keys of which events were left out, and how many, in no order.
    package mutating func expired(at now: UInt64) -> [(key: Key, suppressed: Int)] {
        let ended = windows.filter { hasEnded($0.value, at: now) }
        for key in ended.keys { windows[key] = nil }
        return ended.compactMap { $1.suppressed > 0 ? (key: $0, suppressed: $1.suppressed) : nil }
    }

    private func hasEnded(_ window: Window, at now: UInt64) -> Bool {
        now >= window.start && now - window.start >= interval
    }

    private mutating func makeRoom(at now: UInt64) {
        guard windows.count >= capacity else { return }
        windows = windows.filter { !hasEnded($0.value, at: now) || $0.value.suppressed > 0 }
        guard windows.count >= capacity, let oldest = windows.min(by: { $0.value.start < $1.value.start }) else {
            return
        }
        windows[oldest.key] = nil
    }
}
