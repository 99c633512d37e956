/// Whether frames begin with a return code, which depends on who sent them and over what.
package enum ReturnCodeRule: Sendable {
    /// Frames to a device never do.
    case never
    /// Frames from a device on the LAN do if the bytes look like a small number.
    case whereSmall
    /// Answers in the AP+ pairing always do, also with negative numbers.
    case always

    static let count = 4

    /// Reads the code at the start of a classic frame's payload, which is big-endian.
    func classicCode(in bytes: [UInt8], payload: Range<Int>) -> Int32? {
        guard self != .never, payload.count >= Self.count else { return nil }
        let value = bytes.bigEndian(at: payload.lowerBound)
        guard self == .always || value <= 0xFF else { return nil }
        return Int32(bitPattern: value)
    }

    /// Reads the code at the start of a sealed frame's plaintext, which comes in either byte order.
    func sealedCode(in bytes: [UInt8], plaintext: Range<Int>, command: Command) -> Int32? {
        guard self != .never, plaintext.count >= Self.count else { return nil }
        let value = bytes.bigEndian(at: plaintext.lowerBound)
        let swapped = value.byteSwapped
        if self == .always { return value <= 0xFF ? Int32(value) : Int32(bitPattern: swapped) }
        if command == .negotiationAnswer {
            // A nonce may begin with anything, so that the length decides: nonce 16, proof 32, code 4.
            guard plaintext.count >= 52 else { return nil }
            return value <= 0xFF ? Int32(value) : Int32(bitPattern: swapped)
        }
        if value <= 0xFF { return Int32(value) }
        return swapped <= 0xFF ? Int32(swapped) : nil
    }
}
