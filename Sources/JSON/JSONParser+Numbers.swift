extension JSONParser {
    /// Reads a number from its sign or first digit.
    mutating func parseNumber() throws(JSONError) -> JSON {
        let first = cursor
        let isNegative = byte(at: 0) == UInt8(ascii: "-")
        if isNegative { cursor += 1 }
        var digits = Digits()
        guard let lead = nextDigit() else {
            throw failure(cursor < end ? .invalidNumber : .unexpectedEnd)
        }
        readDigits(into: &digits)
        if lead == 0, cursor - first > (isNegative ? 2 : 1) { throw failure(.invalidNumber, at: first) }

        guard cursor < end else { return try integer(digits, isNegative: isNegative, first: first) }
        var isInteger = true
        var exponent = 0
        if byte(at: 0) == UInt8(ascii: ".") {
            isInteger = false
            cursor += 1
            try requireDigit()
            exponent = -readDigits(into: &digits)
        }
        if cursor < end, byte(at: 0) | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            exponent += try readExponent()
        }
        if isInteger { return try integer(digits, isNegative: isNegative, first: first) }
        return .double(try double(digits, exponent: exponent, isNegative: isNegative, first: first))
    }

    /// The significant digits read so far.
    private struct Digits {
        var value: UInt64 = 0
        /// Whether `value` is too small, because not all digits fit.
        var overflowed = false
    }

    @inline(__always)
    private func nextDigit() -> UInt8? {
        cursor < end ? Self.digit(at: cursor) : nil
    }

    private func requireDigit() throws(JSONError) {
        guard nextDigit() == nil else { return }
        throw failure(cursor < end ? .invalidNumber : .unexpectedEnd)
    }

    /// Reads all digits at the cursor.
    ///
    /// - Returns: how many.
    @discardableResult
    private mutating func readDigits(into digits: inout Digits) -> Int {
        var next = cursor
        defer { cursor = next }
        // 18 digits cannot overflow; what follows is checked digit by digit.
        let safe = next + min(18, end - next)
        var value = digits.value
        if value == 0 {
            while next < safe, let digit = Self.digit(at: next) {
                value = value &* 10 &+ UInt64(digit)
                next += 1
            }
        }
        while next < end, let digit = Self.digit(at: next) {
            let (tens, tooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, tooLargeSum) = tens.addingReportingOverflow(UInt64(digit))
            value = sum
            if tooLarge || tooLargeSum { digits.overflowed = true }
            next += 1
        }
        digits.value = value
        return next - cursor
    }

    @inline(__always)
    private static func digit(at place: UnsafeRawPointer) -> UInt8? {
        let digit = place.load(as: UInt8.self) &- UInt8(ascii: "0")
        return digit <= 9 ? digit : nil
    }

    /// Reads an exponent from its letter; beyond ±100,000 it stays there, which is as good as infinite.
    private mutating func readExponent() throws(JSONError) -> Int {
        cursor += 1
        var isNegative = false
        if cursor < end, byte(at: 0) == UInt8(ascii: "-") || byte(at: 0) == UInt8(ascii: "+") {
            isNegative = byte(at: 0) == UInt8(ascii: "-")
            cursor += 1
        }
        try requireDigit()
        var exponent = 0
        while let digit = nextDigit() {
            exponent = min(exponent * 10 + Int(digit), 100_000)
            cursor += 1
        }
        return isNegative ? -exponent : exponent
    }

    private mutating func integer(_ digits: Digits, isNegative: Bool, first: UnsafeRawPointer) throws(JSONError) -> JSON
    {
        if !digits.overflowed {
            if !isNegative { return JSON(digits.value) }
            // An integer has no negative zero; a double keeps the sign.
            if digits.value == 0 { return .double(-0.0) }
            if digits.value <= UInt64(Int64.max) + 1 { return .integer(Int64(truncatingIfNeeded: 0 &- digits.value)) }
        }
        return .double(try double(digits, exponent: 0, isNegative: isNegative, first: first))
    }

    /// The nearest double to `digits × 10^exponent`, which is the text from `first` to the cursor.
    private mutating func double(
        _ digits: Digits,
        exponent: Int,
        isNegative: Bool,
        first: UnsafeRawPointer
    ) throws(JSONError) -> Double {
        // Both operands are exact, so the one operation rounds correctly (Clinger's fast path).
        if !digits.overflowed, digits.value <= 1 << 53, -22...22 ~= exponent {
            let magnitude = Double(digits.value)
            let scaled = exponent < 0 ? magnitude / Self.powersOfTen[-exponent] : magnitude * Self.powersOfTen[exponent]
            return isNegative ? -scaled : scaled
        }
        let text = String(decoding: UnsafeRawBufferPointer(start: first, count: cursor - first), as: UTF8.self)
        guard let value = Double(text), value.isFinite else { throw failure(.numberOutOfRange, at: first) }
        return value
    }

    private static let powersOfTen: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ]
}
