extension ByteSink {
    /// Appends a decimal integer.
    mutating func append(integer value: Int64) {
        if value < 0 { append(UInt8(ascii: "-")) }
        append(unsigned: value.magnitude)
    }

    /// Appends a decimal integer.
    mutating func append(unsigned value: UInt64) {
        let digits = Self.digitCount(value)
        let target = reserve(20)
        Self.put(value, digits: digits, at: target)
        advance(by: digits)
    }

    /// Appends the shortest text that reads back as the same double, or `null` if it is not finite.
    mutating func append(double value: Double) {
        guard value.isFinite else { return append(literal: "null") }
        if appendShortDecimal(value) { return }
        append(text: value.description)
    }

    /// Appends a double that is a decimal fraction with at most three places, as most measurements are.
    ///
    /// The text has at most 15 digits, and different decimals of that length are different doubles: one that reads back
    /// as the value (a division of two exact numbers, rounded once) is the only one, and so the shortest.
    ///
    /// - Returns: whether it did.
    private mutating func appendShortDecimal(_ value: Double) -> Bool {
        let magnitude = value.magnitude
        guard magnitude < 1e12, magnitude >= 0.001 else { return false }
        let thousandths = UInt64(magnitude * 1000 + 0.5)
        guard Double(thousandths) / 1000 == magnitude else { return false }
        if value < 0 { append(UInt8(ascii: "-")) }
        let (whole, fraction) = thousandths.quotientAndRemainder(dividingBy: 1000)
        append(unsigned: whole)
        let target = reserve(4)
        target.storeBytes(of: UInt8(ascii: "."), as: UInt8.self)
        Self.put(fraction, digits: 3, at: target + 1)
        let places = fraction % 10 != 0 ? 3 : fraction % 100 != 0 ? 2 : 1
        advance(by: 1 + places)
        return true
    }

    private mutating func append(text: String) {
        for byte in text.utf8 { append(byte) }
    }

    private static func digitCount(_ value: UInt64) -> Int {
        if value < 10 { return 1 }
        if value < 100 { return 2 }
        if value < 1000 { return 3 }
        if value < 10_000 { return 4 }
        var count = 5
        var rest = value / 100_000
        while rest > 0 {
            count += 1
            rest /= 10
        }
        return count
    }

    /// Writes the last `digits` decimal digits of a value.
    @inline(__always)
    private static func put(_ value: UInt64, digits: Int, at target: UnsafeMutableRawPointer) {
        var rest = value
        var position = digits
        while position > 0 {
            position -= 1
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            target.storeBytes(
                of: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit),
                toByteOffset: position,
                as: UInt8.self
            )
            rest = quotient
        }
    }
}
