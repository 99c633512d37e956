/// Bytes as pairs of hexadecimal digits.
package enum Hex {
    private static let lower = [UInt8]("0123456789abcdef".utf8)
    private static let upper = [UInt8]("0123456789ABCDEF".utf8)

    /// Which letters the digits above 9 get.
    package enum LetterCase: Sendable {
        case lower
        case upper
    }

    /// The ASCII digits of `bytes`.
    package static func encodedBytes(_ bytes: [UInt8], _ letters: LetterCase = .lower) -> [UInt8] {
        let digits = letters == .lower ? lower : upper
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 2)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 0xF)])
        }
        return text
    }

    /// The digits of `bytes` as text.
    package static func encode(_ bytes: [UInt8], _ letters: LetterCase = .lower) -> String {
        String(decoding: encodedBytes(bytes, letters), as: UTF8.self)
    }

    /// Reads pairs of digits of either case.
    ///
    /// - Throws: ``CryptoError/malformedText(offset:)`` for another character or an odd length.
    package static func decode(_ text: ArraySlice<UInt8>) throws(CryptoError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 2)
        var high: UInt8?
        var offset = 0
        for character in text {
            guard let value = digit(character) else { throw .malformedText(offset: offset) }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
            offset += 1
        }
        guard high == nil else { throw .malformedText(offset: offset) }
        return bytes
    }

    /// Reads pairs of digits of either case.
    package static func decode(_ text: [UInt8]) throws(CryptoError) -> [UInt8] { try decode(text[...]) }

    /// Reads pairs of digits of either case.
    package static func decode(_ text: String) throws(CryptoError) -> [UInt8] { try decode([UInt8](text.utf8)[...]) }

    /// The value of one ASCII digit of either case.
    package static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case 0x30...0x39: character - 0x30
        case 0x41...0x46: character - 0x41 + 10
        case 0x61...0x66: character - 0x61 + 10
        default: nil
        }
    }
}
