/// The token that lets a device join an account: valid for ten minutes, once.
///
/// Source: protocol description, section 6.1.
package struct PairingToken: Equatable, Sendable {
    /// Two characters that name the data centre; opaque.
    package let region: String
    /// Eight characters; the cloud is asked about these.
    package let token: String
    /// Four characters.
    package let secret: String

    static let count = 14

    /// - Parameter text: 14 bytes of ASCII; `nil` for anything else.
    package init?(_ text: String) {
        let bytes = [UInt8](text.utf8)
        guard bytes.count == Self.count, bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        region = String(decoding: bytes[..<2], as: UTF8.self)
        token = String(decoding: bytes[2..<10], as: UTF8.self)
        secret = String(decoding: bytes[10...], as: UTF8.self)
    }

    /// The three parts as the cloud hands them out.
    package init?(region: String, token: String, secret: String) {
        guard region.utf8.count == 2, token.utf8.count == 8 else { return nil }
        self.init(region + token + secret)
    }

    /// What the device gets.
    package var text: String { region + token + secret }
}

extension PairingToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "\(region)… (\(Self.count) characters)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
