import Crypto
import Testing

struct AESCBCTests {
    static let vector = "000102030405060708090a0b0c0d0e0f"
    static let plain = "6bc1bee22e409f96e93d7e117393172a ae2d8a571e03ac9c9eb76fac45af8e51"
    static let secret = "7649abac8119b246cee98e9b12e9197d 5086cb9b507219ee95db113a917678b2"

    private func key() throws -> SecretKey { try SecretKey(hex("2b7e151628aed2a6abf7158809cf4f3c")) }

    @Test("encrypts and decrypts the blocks of SP 800-38A, F.2.1")
    func knownAnswers() throws {
        let (key, vector) = try (key(), hex(Self.vector))
        #expect(try AESCBC.encryptBlocks(hex(Self.plain), key: key, vector: vector) == hex(Self.secret))
        #expect(try AESCBC.decryptBlocks(hex(Self.secret), key: key, vector: vector) == hex(Self.plain))
    }

    @Test("padding comes back off for every length", arguments: 0...33)
    func padding(count: Int) throws {
        let (key, vector) = try (key(), hex(Self.vector))
        let plain = (0..<count).map { UInt8($0) }
        let secret = try AESCBC.encryptPadded(plain, key: key, vector: vector)
        #expect(try AESCBC.decryptPadded(secret, key: key, vector: vector) == plain)
    }

    @Test("a key, vector or message of a wrong length is refused")
    func lengths() throws {
        let (key, vector) = try (key(), hex(Self.vector))
        #expect(throws: CryptoError.keyLength(actual: 3, expected: 16)) {
            try AESCBC.encryptPadded([], key: SecretKey([1, 2, 3]), vector: vector)
        }
        #expect(throws: CryptoError.nonceLength(actual: 12, expected: 16)) {
            try AESCBC.encryptPadded([], key: key, vector: [UInt8](repeating: 0, count: 12))
        }
        #expect(throws: CryptoError.notBlockAligned(length: 5, block: 16)) {
            try AESCBC.decryptPadded([1, 2, 3, 4, 5], key: key, vector: vector)
        }
    }
}
