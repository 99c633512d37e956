import Crypto
import Testing

struct AESGCMTests {
    /// Test cases 4 and 16 of the GCM specification (McGrew and Viega).
    struct Case: Sendable {
        var key: String
        var text: String
        var tag: String
    }

    static let nonce = "cafebabefacedbaddecaf888"
    static let additional = "feedfacedeadbeeffeedfacedeadbeefabaddad2"
    static let plain = """
        d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72
        1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39
        """
    static let cases = [
        Case(
            key: "feffe9928665731c6d6a8f9467308308",
            text: """
                42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e
                21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091
                """,
            tag: "5bc94fbc3221a5db94fae95ae7121a47"
        ),
        Case(
            key: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
            text: """
                522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa
                8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662
                """,
            tag: "76fc6ece0f4e1768cddf8853bb2d551b"
        ),
    ]

    @Test("seals and opens the messages of the GCM specification, repeatedly", arguments: cases)
    func knownAnswers(_ known: Case) throws {
        let cipher = try AESGCM(key: SecretKey(hex(known.key)))
        let (nonce, additional, plain) = try (hex(Self.nonce), hex(Self.additional), hex(Self.plain))
        let sealed = try hex(known.text) + hex(known.tag)
        for _ in 0..<3 {
            #expect(try cipher.seal(plain, nonce: nonce, additional: additional) == sealed)
            #expect(try cipher.open(sealed, nonce: nonce, additional: additional) == plain)
        }
    }

    @Test("an empty message without additional data has the tag of test case 1")
    func empty() throws {
        let cipher = try AESGCM(key: SecretKey([UInt8](repeating: 0, count: 16)))
        let nonce = [UInt8](repeating: 0, count: 12)
        #expect(try cipher.seal([], nonce: nonce) == hex("58e2fccefa7e3061367f1d57a4e7455a"))
        #expect(try cipher.open(hex("58e2fccefa7e3061367f1d57a4e7455a"), nonce: nonce) == [])
    }

    @Test("a change of any bit anywhere is noticed")
    func tampering() throws {
        let cipher = try AESGCM(key: SecretKey(hex(Self.cases[0].key)))
        let nonce = try hex(Self.nonce)
        let sealed = try cipher.seal(ascii("state"), nonce: nonce, additional: [1, 2])
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 0x10
            #expect(throws: CryptoError.authenticationFailed) {
                try cipher.open(changed, nonce: nonce, additional: [1, 2])
            }
        }
        #expect(throws: CryptoError.authenticationFailed) { try cipher.open(sealed, nonce: nonce, additional: [1, 3]) }
        #expect(try cipher.open(sealed, nonce: nonce, additional: [1, 2]) == ascii("state"))
    }

    @Test("a key, nonce or message of a wrong length is refused")
    func lengths() throws {
        #expect(throws: CryptoError.keyLength(actual: 24, expected: 16)) {
            try AESGCM(key: SecretKey([UInt8](repeating: 0, count: 24)))
        }
        let cipher = try AESGCM(key: SecretKey([UInt8](repeating: 0, count: 16)))
        #expect(throws: CryptoError.nonceLength(actual: 11, expected: 12)) {
            try cipher.seal([], nonce: [UInt8](repeating: 0, count: 11))
        }
        #expect(throws: CryptoError.tagLength(actual: 15, expected: 16)) {
            try cipher.open([UInt8](repeating: 0, count: 15), nonce: [UInt8](repeating: 0, count: 12))
        }
    }
}
