extension [UInt8] {
    /// Appends four bytes, most significant first.
    mutating func appendBigEndian(_ value: UInt32) {
        append(UInt8(truncatingIfNeeded: value >> 24))
        append(UInt8(truncatingIfNeeded: value >> 16))
        append(UInt8(truncatingIfNeeded: value >> 8))
        append(UInt8(truncatingIfNeeded: value))
    }

    /// Writes four bytes, most significant first, over those at `index`.
    mutating func setBigEndian(_ value: UInt32, at index: Int) {
        self[index] = UInt8(truncatingIfNeeded: value >> 24)
        self[index + 1] = UInt8(truncatingIfNeeded: value >> 16)
        self[index + 2] = UInt8(truncatingIfNeeded: value >> 8)
        self[index + 3] = UInt8(truncatingIfNeeded: value)
    }

    /// The four bytes at `index`, most significant first.
    func bigEndian(at index: Int) -> UInt32 {
        UInt32(self[index]) << 24 | UInt32(self[index + 1]) << 16 | UInt32(self[index + 2]) << 8
            | UInt32(self[index + 3])
    }

    /// Appends the decimal digits of a number.
    mutating func appendDecimal(_ value: Int64) {
        if value < 0 { append(0x2D) }
        var rest = value.magnitude
        let start = count
        repeat {
            append(0x30 + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        self[start...].reverse()
    }

    /// Whether the bytes at the start are those of `text`.
    func starts(withText text: StaticString) -> Bool {
        text.withUTF8Buffer { expected in
            count >= expected.count && zip(self, expected).allSatisfy { $0 == $1 }
        }
    }

    /// Appends the bytes of a literal.
    mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { append(contentsOf: $0) }
    }

    /// Whether `part` occurs somewhere.
    func contains(_ part: [UInt8]) -> Bool {
        guard part.count <= count, let first = part.first else { return part.isEmpty }
        for start in 0...(count - part.count) where self[start] == first {
            if self[start..<(start + part.count)].elementsEqual(part) { return true }
        }
        return false
    }
}
