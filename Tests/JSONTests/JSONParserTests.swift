import JSON
import Testing

@Suite("JSON parser")
struct JSONParserTests {
    @Test("one of everything is read and written unchanged")
    func everything() throws {
        let text =
            #"{"a":[1,-2,3.5,true,false,null,"x\n\"\\é😀"],"b":{"c":18446744073709551615,"d":-9223372036854775808},"e":{},"f":[]}"#
        let value = try JSON.parse(text)
        #expect(value.text == text)
        #expect(try JSON.parse(value.serialized()) == value)
        #expect(value["a"]?[2] == 3.5)
        #expect(value["b"]?["c"] == .unsigned(.max))
    }
}
