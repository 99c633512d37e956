import Crypto
import Testing

struct HMACSHA256Tests {
    struct Case: Sendable {
        var key: [UInt8]
        var message: [UInt8]
        var code: String
    }

    /// RFC 4231, cases 1, 2, 3 and 6 (a key longer than a block), and a code under the empty key.
    static let cases = [
        Case(
            key: [UInt8](repeating: 0x0b, count: 20),
            message: ascii("Hi There"),
            code: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        Case(
            key: ascii("Jefe"),
            message: ascii("what do ya want for nothing?"),
            code: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        Case(
            key: [UInt8](repeating: 0xaa, count: 20),
            message: [UInt8](repeating: 0xdd, count: 50),
            code: "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        Case(
            key: [UInt8](repeating: 0xaa, count: 131),
            message: ascii("Test Using Larger Than Block-Size Key - Hash Key First"),
            code: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        Case(key: [], message: [], code: "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
    ]

    @Test("gives the codes of RFC 4231", arguments: cases)
    func knownAnswers(_ known: Case) throws {
        let code = try HMACSHA256.code(for: known.message, key: SecretKey(known.key))
        #expect(try code == hex(known.code))
    }

    @Test("one object gives the same code again and again, and of a part of a message")
    func reuse() throws {
        let known = Self.cases[1]
        let authenticator = try HMACSHA256(key: SecretKey(known.key))
        let framed = [1, 2, 3] + known.message + [4]
        for _ in 0..<3 {
            #expect(try authenticator.code(for: known.message) == hex(known.code))
            #expect(try authenticator.code(for: framed, in: 3..<(framed.count - 1)) == hex(known.code))
        }
    }

    @Test("verification accepts the right code only")
    func verification() throws {
        let known = Self.cases[0]
        let authenticator = try HMACSHA256(key: SecretKey(known.key))
        var code = try hex(known.code)
        #expect(try authenticator.verifies(code[...], for: known.message))
        #expect(try !authenticator.verifies(code.dropLast(), for: known.message))
        code[31] ^= 1
        #expect(try !authenticator.verifies(code[...], for: known.message))
    }
}
