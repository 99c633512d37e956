import Crypto
import Testing

struct CRC32Tests {
    @Test(
        "gives the checksums of zlib",
        arguments: [("", 0), ("123456789", 0xCBF4_3926), ("a", 0xE8B7_BE43), ("abcdefgh", 0xAEEF_2A50)]
    )
    func knownAnswers(message: String, expected: UInt32) {
        #expect(CRC32.checksum(ascii(message)) == expected)
    }

    @Test("agrees with the definition, bit by bit, for every length and start", arguments: 0...40)
    func definition(count: Int) {
        let bytes = (0..<(count + 5)).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }
        for start in 0...5 {
            var crc = UInt32.max
            for byte in bytes[start..<(start + count)] {
                crc ^= UInt32(byte)
                for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
            }
            #expect(CRC32.checksum(bytes, in: start..<(start + count)) == ~crc)
        }
    }
}
