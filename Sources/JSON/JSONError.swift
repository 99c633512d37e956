/// Why bytes are not acceptable JSON, and where.
public struct JSONError: Error, Equatable, Sendable {
    /// What is wrong.
    public enum Kind: Sendable, Equatable {
        /// The text stops in the middle of a value, or is empty.
        case unexpectedEnd
        /// A byte that cannot stand here.
        case unexpectedByte(UInt8)
        /// Something follows the value.
        case trailingBytes
        /// The text starts with a byte order mark.
        case byteOrderMark
        /// A number against the grammar, such as `01`, `1.` or `+1`.
        case invalidNumber
        /// A number beyond the largest `Double`.
        case numberOutOfRange
        /// Bytes in a string that are not UTF-8.
        case invalidUTF8
        /// A backslash with something unknown after it.
        case invalidEscape
        /// Half of a surrogate pair.
        case loneSurrogate
        /// A control character that is not escaped in a string.
        case controlCharacter(UInt8)
        /// A key that the object has already.
        case duplicateKey
        /// More arrays and objects inside each other than allowed.
        case tooDeep(limit: Int)
        /// A longer text than allowed.
        case tooLarge(limit: Int)
        /// A longer string than allowed.
        case stringTooLong(limit: Int)
    }

    /// What is wrong.
    public let kind: Kind
    /// Where, in bytes from the start of the text; its length where the text ends too early.
    public let offset: Int

    /// Makes an error.
    public init(_ kind: Kind, at offset: Int) {
        self.kind = kind
        self.offset = offset
    }

    /// What is wrong, in plain words, without the place.
    public var message: String {
        switch kind {
        case .unexpectedEnd: "the text ends in the middle of a value"
        case .unexpectedByte(let byte): "unexpected \(Self.name(of: byte))"
        case .trailingBytes: "something follows the value"
        case .byteOrderMark: "the text starts with a byte order mark"
        case .invalidNumber: "not a valid number"
        case .numberOutOfRange: "the number is out of range"
        case .invalidUTF8: "the string is not valid UTF-8"
        case .invalidEscape: "unknown escape sequence"
        case .loneSurrogate: "half of a surrogate pair"
        case .controlCharacter(let byte): "control character \(Self.name(of: byte)) must be escaped"
        case .duplicateKey: "the key is already there"
        case .tooDeep(let limit): "more than \(limit) levels deep"
        case .tooLarge(let limit): "longer than \(limit) bytes"
        case .stringTooLong(let limit): "the string is longer than \(limit) bytes"
        }
    }

    private static func name(of byte: UInt8) -> String {
        if (0x21...0x7e).contains(byte) { return "'\(Character(UnicodeScalar(byte)))'" }
        let digits = String(byte, radix: 16)
        return digits.utf8.count == 1 ? "byte 0x0\(digits)" : "byte 0x\(digits)"
    }
}

extension JSONError: CustomStringConvertible {
    /// What is wrong and where, in plain words.
    public var description: String { "\(message) at byte \(offset)" }
}
