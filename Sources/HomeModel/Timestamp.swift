/// A moment, in whole milliseconds since 1970-01-01 UTC.
public struct Timestamp: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Milliseconds since 1970-01-01 UTC.
    public let milliseconds: Int64

    /// Wraps milliseconds since 1970-01-01 UTC.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// ISO 8601 in UTC, to the millisecond where there are any: `2026-11-30T10:15:02Z`, `2026-11-30T10:15:02.250Z`.
    public var description: String {
        let (days, ms) = milliseconds.flooredDivision(by: 86_400_000)
        let (year, month, day) = civil(days: days)
        let seconds = ms / 1000
        var out: [UInt8] = []
        out.reserveCapacity(24)
        out.append(digits: year, width: 4)
        out.append(UInt8(ascii: "-"))
        out.append(digits: month, width: 2)
        out.append(UInt8(ascii: "-"))
        out.append(digits: day, width: 2)
        out.append(UInt8(ascii: "T"))
        out.append(digits: seconds / 3600, width: 2)
        out.append(UInt8(ascii: ":"))
        out.append(digits: seconds / 60 % 60, width: 2)
        out.append(UInt8(ascii: ":"))
        out.append(digits: seconds % 60, width: 2)
        if ms % 1000 != 0 {
            out.append(UInt8(ascii: "."))
            out.append(digits: ms % 1000, width: 3)
        }
        out.append(UInt8(ascii: "Z"))
        return String(decoding: out, as: UTF8.self)
    }

    /// Orders by time.
    public static func < (one: Self, other: Self) -> Bool { one.milliseconds < other.milliseconds }

    /// The time from one moment to a later one.
    public static func - (later: Self, earlier: Self) -> Duration {
        .milliseconds(later.milliseconds - earlier.milliseconds)
    }

    /// The moment `duration` later, cut to whole milliseconds.
    public static func + (moment: Self, duration: Duration) -> Self {
        let (seconds, attoseconds) = duration.components
        return Self(milliseconds: moment.milliseconds + seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    }
}

extension Int64 {
    fileprivate func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

extension [UInt8] {
    fileprivate mutating func append(digits value: Int64, width: Int) {
        var divisor: Int64 = 1
        for _ in 1..<width { divisor *= 10 }
        while divisor > 0 {
            append(UInt8(ascii: "0") + UInt8(value / divisor % 10))
            divisor /= 10
        }
    }
}

/// The Gregorian date of a day count from 1970-01-01, by the 400-year cycle of 146,097 days with years from March.
private func civil(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = (days + 719_468).flooredDivision(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let fromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * fromMarch + 2) / 5 + 1
    let month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
}
