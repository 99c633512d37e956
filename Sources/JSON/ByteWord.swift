/// Tests on eight bytes at once, the first byte in the lowest bits.
enum ByteWord {
    static let lowBits: UInt64 = 0x0101_0101_0101_0101
    static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// Marks bytes that end a plain run in a string: quote, backslash and control characters.
    ///
    /// - Returns: 0 if there is none; else the lowest bit set is the high bit of the first such byte. Marks above the first
    ///   may be wrong, because borrows run upwards.
    @inline(__always)
    static func stringStops(in word: UInt64) -> UInt64 {
        let quote = word ^ (lowBits &* 0x22)
        let backslash = word ^ (lowBits &* 0x5c)
        let found =
            ((quote &- lowBits) & ~quote) | ((backslash &- lowBits) & ~backslash)
            | ((word &- lowBits &* 0x20) & ~word)
        return found & highBits
    }
}
