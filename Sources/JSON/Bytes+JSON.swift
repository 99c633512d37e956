extension [UInt8] {
    /// Appends ASCII text as it stands.
    mutating func append(literal: StaticString) {
        append(contentsOf: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }

    /// Appends a decimal integer.
    mutating func append(integer value: Int64) {
        if value < 0 { append(UInt8(ascii: "-")) }
        append(unsigned: value.magnitude)
    }

    /// Appends a decimal integer.
    mutating func append(unsigned value: UInt64) {
        if value < 10 {
            append(UInt8(ascii: "0") + UInt8(value))
            return
        }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var rest = value
            var first = 20
            repeat {
                first -= 1
                digits[first] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0
            append(contentsOf: UnsafeBufferPointer(rebasing: digits[first..<20]))
        }
    }

    /// Appends the shortest text that reads back as the same double, or `null` if it is not finite.
    mutating func append(double value: Double) {
        guard value.isFinite else { return append(literal: "null") }
        append(contentsOf: value.description.utf8)
    }

    /// Appends a string in quotes, escaping what must be.
    mutating func append(quoted string: String) {
        var string = string
        string.withUTF8 { append(quoted: UnsafeRawBufferPointer($0)) }
    }

    private mutating func append(quoted utf8: UnsafeRawBufferPointer) {
        append(UInt8(ascii: "\""))
        var plain = 0
        var offset = 0
        while offset < utf8.count {
            if utf8.count - offset >= 8 {
                let word = UInt64(littleEndian: utf8.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                let stop = ByteWord.stringStops(in: word)
                guard stop != 0 else {
                    offset += 8
                    continue
                }
                offset += stop.trailingZeroBitCount / 8
            } else if !Self.mustEscape(utf8[offset]) {
                offset += 1
                continue
            }
            append(contentsOf: UnsafeRawBufferPointer(rebasing: utf8[plain..<offset]))
            append(escaped: utf8[offset])
            offset += 1
            plain = offset
        }
        append(contentsOf: UnsafeRawBufferPointer(rebasing: utf8[plain...]))
        append(UInt8(ascii: "\""))
    }

    private static func mustEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func append(escaped byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): append(literal: #"\""#)
        case UInt8(ascii: "\\"): append(literal: #"\\"#)
        case 0x08: append(literal: #"\b"#)
        case 0x09: append(literal: #"\t"#)
        case 0x0a: append(literal: #"\n"#)
        case 0x0c: append(literal: #"\f"#)
        case 0x0d: append(literal: #"\r"#)
        default:
            append(literal: #"\u00"#)
            append(UInt8(ascii: "0") + byte >> 4)
            append((byte & 15) + (byte & 15 < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10))
        }
    }
}
