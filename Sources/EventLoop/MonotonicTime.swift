import Glibc

/// A moment of the machine's monotonic clock (`CLOCK_MONOTONIC`), the same in every process of the machine.
package struct MonotonicTime: Hashable, Comparable, Sendable {
    /// Nanoseconds since an arbitrary start, usually the machine's.
    package var nanoseconds: UInt64

    package init(nanoseconds: UInt64) {
        self.nanoseconds = nanoseconds
    }

    /// The present moment.
    package static var now: MonotonicTime {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec))
    }

    package static func < (left: MonotonicTime, right: MonotonicTime) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// The time from `right` to `left`; negative where `left` is earlier.
    package static func - (left: MonotonicTime, right: MonotonicTime) -> Duration {
        .nanoseconds(Int64(bitPattern: left.nanoseconds &- right.nanoseconds))
    }

    /// The moment `duration` after `time`; what lies outside the clock's range becomes its nearest end.
    package static func + (time: MonotonicTime, duration: Duration) -> MonotonicTime {
        let span = duration.wholeNanoseconds
        let (sum, overflow) =
            span < 0
            ? time.nanoseconds.subtractingReportingOverflow(span.magnitude)
            : time.nanoseconds.addingReportingOverflow(span.magnitude)
        guard overflow else { return MonotonicTime(nanoseconds: sum) }
        return MonotonicTime(nanoseconds: span < 0 ? 0 : .max)
    }

    /// The moment `duration` before `time`.
    package static func - (time: MonotonicTime, duration: Duration) -> MonotonicTime {
        time + (.zero - duration)
    }
}

extension Duration {
    /// This duration in nanoseconds, at most 292 years either way.
    package var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, tooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflow) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
        guard tooLong || overflow else { return sum }
        return seconds < 0 ? .min : .max
    }

    /// This duration in milliseconds as a floating-point number, for figures and logs.
    package var milliseconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) * 1e3 + Double(attoseconds) / 1e15
    }
}
