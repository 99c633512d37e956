/// Base64 with the standard alphabet and padding (RFC 4648, section 4), read strictly.
package enum Base64 {
    private static let alphabet = [UInt8]("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding: UInt8 = 0x3D

    /// Value of every byte in the alphabet, 255 for bytes outside it.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    /// Length of the text for `count` bytes.
    package static func encodedCount(_ count: Int) -> Int { (count + 2) / 3 * 4 }

    /// The text of `bytes` as ASCII.
    package static func encodedBytes(_ bytes: [UInt8]) -> [UInt8] {
        let alphabet = alphabet
        var text: [UInt8] = []
        text.reserveCapacity(encodedCount(bytes.count))
        var index = 0
        while index < bytes.count {
            let first = bytes[index]
            let second = index + 1 < bytes.count ? bytes[index + 1] : 0
            let third = index + 2 < bytes.count ? bytes[index + 2] : 0
            text.append(alphabet[Int(first >> 2)])
            text.append(alphabet[Int((first & 0x03) << 4 | second >> 4)])
            text.append(index + 1 < bytes.count ? alphabet[Int((second & 0x0F) << 2 | third >> 6)] : padding)
            text.append(index + 2 < bytes.count ? alphabet[Int(third & 0x3F)] : padding)
            index += 3
        }
        return text
    }

    /// The text of `bytes`.
    package static func encode(_ bytes: [UInt8]) -> String { String(decoding: encodedBytes(bytes), as: UTF8.self) }

    /// Reads a text.
    ///
    /// - Throws: ``CryptoError/malformedText(offset:)`` for a character outside the alphabet (blanks and line ends too),
    ///   a length that is not a multiple of 4, padding anywhere but at the end, or unused bits that are not zero.
    package static func decode(_ text: ArraySlice<UInt8>) throws(CryptoError) -> [UInt8] {
        let values = values.span
        let count = text.count
        guard count % 4 == 0 else { throw .malformedText(offset: count) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count / 4 * 3)
        var bits: UInt32 = 0
        var digits = 0
        var offset = 0
        for character in text {
            let value = values[Int(character)]
            if value == 255 {
                guard character == padding, count - offset <= 2, digits & 0xF >= 2 else {
                    throw .malformedText(offset: offset)
                }
                digits += 0x10  // one unit of padding
            } else {
                guard digits < 0x10 else { throw .malformedText(offset: offset) }
                bits = bits << 6 | UInt32(value)
                digits += 1
            }
            offset += 1
            if offset % 4 == 0 {
                try append(bits, digits: digits & 0xF, to: &bytes, offset: offset)
                (bits, digits) = (0, 0)
            }
        }
        return bytes
    }

    /// Reads a text.
    package static func decode(_ text: [UInt8]) throws(CryptoError) -> [UInt8] { try decode(text[...]) }

    /// Reads a text.
    package static func decode(_ text: String) throws(CryptoError) -> [UInt8] { try decode([UInt8](text.utf8)[...]) }

    private static func append(
        _ bits: UInt32,
        digits: Int,
        to bytes: inout [UInt8],
        offset: Int
    ) throws(CryptoError) {
        switch digits {
        case 4:
            bytes.append(UInt8(truncatingIfNeeded: bits >> 16))
            bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
            bytes.append(UInt8(truncatingIfNeeded: bits))
        case 3 where bits & 0x3 == 0:
            bytes.append(UInt8(truncatingIfNeeded: bits >> 10))
            bytes.append(UInt8(truncatingIfNeeded: bits >> 2))
        case 2 where bits & 0xF == 0:
            bytes.append(UInt8(truncatingIfNeeded: bits >> 4))
        default:
            throw .malformedText(offset: offset - 4)
        }
    }
}
