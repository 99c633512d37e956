import Crypto
import Testing

struct AESECBTests {
    static let plain = "00112233445566778899aabbccddeeff"

    @Test(
        "encrypts and decrypts the blocks of FIPS 197, appendix C",
        arguments: [
            ("000102030405060708090a0b0c0d0e0f", "69c4e0d86a7b0430d8cdb78070b4c55a"),
            (
                "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
                "8ea2b7ca516745bfeafc49904b496089"
            ),
        ]
    )
    func knownAnswers(key: String, expected: String) throws {
        let cipher = try AESECB(key: SecretKey(hex(key)))
        for _ in 0..<2 {
            #expect(try cipher.encryptBlocks(hex(Self.plain)) == hex(expected))
            #expect(try cipher.decryptBlocks(hex(expected)) == hex(Self.plain))
        }
    }

    @Test("padding comes back off for every length", arguments: 0...50)
    func padding(count: Int) throws {
        let cipher = try AESECB(key: SecretKey(ascii("0123456789abcdef")))
        let plain = (0..<count).map { UInt8($0) }
        let secret = try cipher.encryptPadded(plain)
        #expect(secret.count == (count / 16 + 1) * 16)
        #expect(try cipher.decryptPadded(secret) == plain)
    }

    @Test("works in place behind a header")
    func inPlace() throws {
        let cipher = try AESECB(key: SecretKey(hex("000102030405060708090a0b0c0d0e0f")))
        var bytes = try [9, 8, 7] + hex(Self.plain)
        try cipher.encryptBlocks(&bytes, from: 3)
        #expect(try bytes == [9, 8, 7] + hex("69c4e0d86a7b0430d8cdb78070b4c55a"))
        try cipher.decryptBlocks(&bytes, from: 3)
        #expect(try bytes == [9, 8, 7] + hex(Self.plain))
    }

    @Test("another key is noticed by the padding")
    func wrongKey() throws {
        let secret = try AESECB(key: SecretKey(ascii("0123456789abcdef"))).encryptPadded(ascii("hello"))
        let other = try AESECB(key: SecretKey(ascii("fedcba9876543210")))
        #expect(throws: CryptoError.badPadding) { try other.decryptPadded(secret) }
        #expect(throws: CryptoError.badPadding) { try other.decryptPadded([]) }
    }

    @Test("keys and messages of a wrong length are refused")
    func lengths() throws {
        #expect(throws: CryptoError.keyLength(actual: 15, expected: 16)) {
            try AESECB(key: SecretKey(ascii("0123456789abcde")))
        }
        let cipher = try AESECB(key: SecretKey(ascii("0123456789abcdef")))
        #expect(throws: CryptoError.notBlockAligned(length: 17, block: 16)) {
            try cipher.encryptBlocks([UInt8](repeating: 0, count: 17))
        }
        #expect(throws: CryptoError.notBlockAligned(length: 15, block: 16)) {
            try cipher.decryptPadded([UInt8](repeating: 0, count: 15))
        }
    }

    @Test(
        "padding that is not PKCS#7 is refused",
        arguments: [
            [UInt8](repeating: 0, count: 16), [UInt8](repeating: 17, count: 16),
            [UInt8](repeating: 0, count: 13) + [2, 3, 3],
        ]
    )
    func malformedPadding(block: [UInt8]) throws {
        let cipher = try AESECB(key: SecretKey(ascii("0123456789abcdef")))
        let secret = try cipher.encryptBlocks(block)
        #expect(throws: CryptoError.badPadding) { try cipher.decryptPadded(secret) }
    }
}
