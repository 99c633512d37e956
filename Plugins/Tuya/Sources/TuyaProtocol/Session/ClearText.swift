/// Tells bodies in clear from ciphertext, which may begin with any byte.
///
/// One ciphertext in 256 begins with `{`, and a device's messages all begin with the same block, so that a device could
/// never be understood if that byte alone decided.
enum ClearText {
    private static let block = 16

    /// Whether a payload cannot be ciphertext: text that is no whole number of blocks, or JSON from brace to brace.
    static func isCertain(_ payload: [UInt8]) -> Bool {
        let isObject = payload.first == UInt8(ascii: "{")
        if payload.count % block != 0 { return isObject || payload.allSatisfy { (0x20...0x7E).contains($0) } }
        return isObject && payload.last { $0 != 0 } == UInt8(ascii: "}") && payload.allSatisfy(isText)
    }

    /// Not a control character; bytes above ASCII are UTF-8 or what devices take for it.
    private static func isText(_ byte: UInt8) -> Bool { byte >= 0x20 || [0, 0x09, 0x0A, 0x0D].contains(byte) }
}
