import Glibc

/// A moment of the wall clock, for records.
package struct LogTime: Hashable, Comparable, Sendable {
    /// Nanoseconds since 1970-01-01 UTC.
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The present moment.
    package static var now: LogTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return LogTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    package static func < (left: LogTime, right: LogTime) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}

extension LogTime: CustomStringConvertible {
    /// ISO 8601 in UTC, cut to milliseconds: `2026-11-30T10:15:02.123Z`.
    package var description: String {
        var seconds = nanoseconds / 1_000_000_000
        var rest = nanoseconds % 1_000_000_000
        if rest < 0 {
            seconds -= 1
            rest += 1_000_000_000
        }
        var date = tm()
        var time = time_t(seconds)
        gmtime_r(&time, &date)
        let parts: [(value: Int, width: Int, after: String)] = [
            (Int(date.tm_year) + 1900, 4, "-"), (Int(date.tm_mon) + 1, 2, "-"), (Int(date.tm_mday), 2, "T"),
            (Int(date.tm_hour), 2, ":"), (Int(date.tm_min), 2, ":"), (Int(date.tm_sec), 2, "."),
            (Int(rest / 1_000_000), 3, "Z"),
        ]
        return parts.reduce(into: "") { text, part in
            let digits = String(part.value)
            text += String(repeating: "0", count: max(0, part.width - digits.utf8.count)) + digits + part.after
        }
    }
}
