/// The 15 bytes in front of many bodies: the version's text and 12 bytes that receivers ignore.
package struct VersionHeader: Equatable, Sendable {
    static let count = 15

    /// 15 bytes.
    let bytes: [UInt8]

    /// The header a client writes: the text, then zeros.
    ///
    /// - Parameter versionText: its first three bytes are used; shorter texts are filled with zeros.
    package init(client versionText: String) {
        bytes = Self.text(versionText) + [UInt8](repeating: 0, count: 12)
    }

    /// The header a device writes.
    package init(device version: ProtocolVersion, checksum: UInt32 = 0, serial: UInt32, source: UInt32 = 1) {
        var bytes = Self.text(version.text)
        bytes.appendBigEndian(checksum)
        bytes.appendBigEndian(serial)
        bytes.appendBigEndian(source)
        self.bytes = bytes
    }

    private static func text(_ text: String) -> [UInt8] {
        let bytes = [UInt8](text.utf8.prefix(3))
        return bytes + [UInt8](repeating: 0, count: 3 - bytes.count)
    }

    /// Whether `bytes` begin with a header: `3.`, a digit 1 … 8, and at least 15 bytes.
    static func isPresent(in bytes: [UInt8]) -> Bool {
        bytes.count >= count && bytes[0] == 0x33 && bytes[1] == 0x2E && (0x31...0x38).contains(bytes[2])
    }
}
