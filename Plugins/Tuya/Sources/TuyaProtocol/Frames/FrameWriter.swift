internal import Crypto

/// Builds one frame in one array: header, then whatever is appended to ``bytes``, then the end.
struct FrameWriter {
    /// Room for an ordinary message, so that the array is allocated once.
    private static let usualCount = 320

    var bytes: [UInt8] = []

    /// Writes the header; the length is filled in at the end.
    init(_ format: FrameFormat, command: Command, sequence: UInt32) {
        bytes.reserveCapacity(Self.usualCount)
        bytes.appendBigEndian(format.prefix)
        if format == .sealed { bytes += [0, 0] }
        bytes.appendBigEndian(sequence)
        bytes.appendBigEndian(command.rawValue)
        bytes.appendBigEndian(0)
    }

    /// Appends the checksum or code, and the suffix.
    mutating func finishClassic(_ protection: FrameProtection.Classic) throws(CryptoError) -> [UInt8] {
        let format = FrameFormat.classic
        let length = bytes.count - format.headerCount + protection.codeCount + FrameFormat.suffixCount
        bytes.setBigEndian(UInt32(truncatingIfNeeded: length), at: format.lengthOffset)
        switch protection {
        case .crc: bytes.appendBigEndian(CRC32.checksum(bytes))
        case .hmac(let key): bytes += try key.code(for: bytes)
        }
        bytes.appendBigEndian(format.suffix)
        return bytes
    }

    /// Seals what follows the nonce, and appends the tag and the suffix.
    mutating func finishSealed(_ key: AESGCM) throws(CryptoError) -> [UInt8] {
        let format = FrameFormat.sealed
        let textStart = format.headerCount + AESGCM.nonceLength
        let tagStart = bytes.count
        let length = tagStart + AESGCM.tagLength - format.headerCount
        bytes.setBigEndian(UInt32(truncatingIfNeeded: length), at: format.lengthOffset)
        bytes.appendBigEndian(0)
        bytes.appendBigEndian(0)
        bytes.appendBigEndian(0)
        bytes.appendBigEndian(0)
        try key.seal(
            &bytes,
            layout: AESGCM.Layout(
                nonce: format.headerCount..<textStart,
                additional: FrameFormat.prefixCount..<format.headerCount,
                text: textStart..<tagStart,
                tag: tagStart..<(tagStart + AESGCM.tagLength)
            )
        )
        bytes.appendBigEndian(format.suffix)
        return bytes
    }
}
