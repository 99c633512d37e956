import Crypto
import Testing

struct DigestTests {
    @Test(
        "MD5 gives the digests of RFC 1321",
        arguments: [
            ("", "d41d8cd98f00b204e9800998ecf8427e"),
            ("abc", "900150983cd24fb0d6963f7d28e17f72"),
            ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
        ]
    )
    func md5(message: String, expected: String) throws {
        #expect(try Digest.md5(ascii(message)) == hex(expected))
    }

    @Test(
        "SHA-256 gives the digests of FIPS 180-4",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ]
    )
    func sha256(message: String, expected: String) throws {
        #expect(try Digest.sha256(ascii(message)) == hex(expected))
    }
}
