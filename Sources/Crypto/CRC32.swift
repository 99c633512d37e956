/// CRC-32 as zlib, Ethernet and PNG use it (reflected polynomial 0xEDB88320); eight bytes a step.
package enum CRC32 {
    private static let polynomial: UInt32 = 0xEDB8_8320

    /// Table `k` holds the effect of a byte that is followed by `k` zero bytes; 8 × 256 entries.
    private static let tables: [UInt32] = {
        var tables = [UInt32](repeating: 0, count: 8 * 256)
        for byte in 0..<256 {
            var value = UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 1 ? (value >> 1) ^ polynomial : value >> 1 }
            tables[byte] = value
        }
        for index in 256..<tables.count {
            let before = tables[index - 256]
            tables[index] = (before >> 8) ^ tables[Int(before & 0xFF)]
        }
        return tables
    }()

    /// The checksum of `bytes`.
    package static func checksum(_ bytes: [UInt8]) -> UInt32 { checksum(bytes, in: bytes.indices) }

    /// The checksum of a part of `bytes`, which saves copying it out.
    package static func checksum(_ bytes: [UInt8], in range: Range<Int>) -> UInt32 {
        let message = bytes.span.extracting(range)
        let tables = tables.span
        var crc = UInt32.max
        var index = 0
        while index + 8 <= message.count {
            let low = crc ^ littleEndianWord(message, at: index)
            let high = littleEndianWord(message, at: index + 4)
            crc =
                tables[7 * 256 + Int(low & 0xFF)] ^ tables[6 * 256 + Int(low >> 8 & 0xFF)]
                ^ tables[5 * 256 + Int(low >> 16 & 0xFF)] ^ tables[4 * 256 + Int(low >> 24)]
                ^ tables[3 * 256 + Int(high & 0xFF)] ^ tables[2 * 256 + Int(high >> 8 & 0xFF)]
                ^ tables[256 + Int(high >> 16 & 0xFF)] ^ tables[Int(high >> 24)]
            index += 8
        }
        while index < message.count {
            crc = (crc >> 8) ^ tables[Int((crc ^ UInt32(message[index])) & 0xFF)]
            index += 1
        }
        return ~crc
    }

    @inline(__always)
    private static func littleEndianWord(_ bytes: Span<UInt8>, at index: Int) -> UInt32 {
        UInt32(bytes[index]) | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2]) << 16
            | UInt32(bytes[index + 3]) << 24
    }
}
