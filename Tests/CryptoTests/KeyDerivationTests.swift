import Crypto
import Testing

struct KeyDerivationTests {
    @Test("PBKDF2 gives the keys of RFC 7914, section 11, and of a common example")
    func pbkdf2() throws {
        let long = try KeyDerivation.pbkdf2SHA256(
            password: SecretKey(ascii("passwd")),
            salt: ascii("salt"),
            iterations: 1,
            length: 64
        )
        let expected = """
            55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc
            49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783
            """
        #expect(try long.exposedBytes == hex(expected))
        let short = try KeyDerivation.pbkdf2SHA256(
            password: SecretKey(ascii("password")),
            salt: ascii("salt"),
            iterations: 4096,
            length: 32
        )
        #expect(
            try short.exposedBytes == hex("c5e478d59288c841aa530db6845c4c8d962893a001ce4e11a4963873aa98134a")
        )
    }

    @Test("scrypt gives the keys of RFC 7914, section 12")
    func scrypt() throws {
        let empty = try KeyDerivation.scrypt(password: SecretKey([]), salt: [], cost: 16, blockSize: 1, length: 64)
        #expect(
            try empty.exposedBytes
                == hex(
                    """
                    77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442
                    fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906
                    """
                )
        )
        let salted = try KeyDerivation.scrypt(
            password: SecretKey(ascii("password")),
            salt: ascii("NaCl"),
            cost: 1024,
            blockSize: 8,
            parallelism: 16,
            length: 64
        )
        #expect(
            try salted.exposedBytes
                == hex(
                    """
                    fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162
                    2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640
                    """
                )
        )
    }

    @Test("parameters outside the definition are refused")
    func parameters() {
        let key = SecretKey([1])
        #expect(throws: CryptoError.invalidParameter("iterations 0")) {
            try KeyDerivation.pbkdf2SHA256(password: key, salt: [], iterations: 0, length: 16)
        }
        #expect(throws: CryptoError.invalidParameter("length 0")) {
            try KeyDerivation.pbkdf2SHA256(password: key, salt: [], iterations: 1, length: 0)
        }
        #expect(throws: CryptoError.invalidParameter("cost 1000")) {
            try KeyDerivation.scrypt(password: key, salt: [], cost: 1000, length: 16)
        }
    }
}
