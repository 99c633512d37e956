import Crypto
import Testing

struct TextEncodingTests {
    static let samples = [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ]

    @Test("base64 writes and reads the samples of RFC 4648", arguments: samples)
    func base64(plain: String, text: String) throws {
        #expect(Base64.encode(ascii(plain)) == text)
        #expect(try Base64.decode(text) == ascii(plain))
    }

    @Test("base64 round-trips all bytes")
    func base64AllBytes() throws {
        for count in [253, 254, 255, 256] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
            #expect(try Base64.decode(Base64.encodedBytes(bytes)[...]) == bytes)
        }
    }

    @Test(
        "base64 that is not canonical is refused",
        arguments: [
            "Z", "Zg", "Zg=", "Zg===", "=Zg=", "Z===", "====", "Zg==Zg==", "Zm9v\n", "Zm 9v", "Zm9-", "Zh==", "Zm9=",
            "Zg=A",
        ]
    )
    func base64Malformed(text: String) {
        #expect(throws: CryptoError.self) { try Base64.decode(text) }
    }

    @Test("hex is written in the case asked for and read in either")
    func hexDigits() throws {
        #expect(Hex.encode([0x00, 0xAB, 0xFF]) == "00abff")
        #expect(Hex.encode([0x00, 0xAB, 0xFF], .upper) == "00ABFF")
        #expect(try Hex.decode("00aBFf") == [0x00, 0xAB, 0xFF])
    }

    @Test("hex errors name the place", arguments: [("0", 1), ("0g", 1), ("00 1", 2), ("00ffx0", 4)])
    func hexMalformed(text: String, offset: Int) {
        #expect(throws: CryptoError.malformedText(offset: offset)) { try Hex.decode(text) }
    }
}
