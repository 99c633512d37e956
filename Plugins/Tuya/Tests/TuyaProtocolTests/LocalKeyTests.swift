import Crypto
import Testing
import TuyaProtocol

struct LocalKeyTests {
    @Test("special characters are taken as they are")
    func rawCharacters() throws {
        #expect(try LocalKey("q&<Z'9~v}1xJ@T#w").secret.exposedBytes == [UInt8]("q&<Z'9~v}1xJ@T#w".utf8))
        #expect(try LocalKey(" 23456789abcdef ").secret.exposedBytes.count == 16)
        #expect(try LocalKey("é23456789abcdef0").secret.exposedBytes[0] == 0xE9)
    }

    @Test("another length is refused, and HTML entities are named as the likely cause")
    func lengths() throws {
        #expect(throws: LocalKey.Problem.length(15, looksEscaped: false)) { try LocalKey("0123456789abcde") }
        #expect(throws: LocalKey.Problem.length(20, looksEscaped: true)) { try LocalKey("q&amp;<Z'9~v}1xJ@T#w") }
        #expect("\(LocalKey.Problem.length(19, looksEscaped: true))".contains("HTML"))
        #expect(throws: LocalKey.Problem.notOneByte(offset: 1)) { try LocalKey("0€23456789abcdef") }
    }

    @Test("a key prints as two characters and its length")
    func printing() throws {
        let key = try LocalKey("q&<Z'9~v}1xJ@T#w")
        var dumped = ""
        dump(key, to: &dumped)
        for text in ["\(key)", String(reflecting: key), dumped] {
            #expect(text.contains("q&… (16 bytes)"))
            #expect(!text.contains("q&<"))
        }
    }
}
