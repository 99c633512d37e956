import JSON
import Testing

@Suite("JSON writer")
struct JSONWriterTests {
    @Test("a message comes out as the same value would")
    func message() throws {
        var writer = JSONWriter(reservingCapacity: 0)
        writer.beginObject()
        writer.key("a\n")
        writer.integer(-7)
        writer.key("list")
        writer.beginArray()
        writer.string("x\"y")
        writer.double(2.5)
        writer.double(.nan)
        writer.bool(true)
        writer.bool(false)
        writer.null()
        writer.unsigned(.max)
        writer.beginArray()
        writer.endArray()
        writer.beginObject()
        writer.endObject()
        writer.endArray()
        writer.key("value")
        writer.value(["k": [1, 2]])
        writer.key("object")
        writer.object(["o": 1])
        writer.key("raw")
        writer.raw(Array("[1,2]".utf8))
        writer.key("last")
        writer.integer(Int64.min)
        writer.endObject()
        let expected: JSON = [
            "a\n": -7,
            "list": ["x\"y", 2.5, nil, true, false, nil, .unsigned(.max), [], [:]],
            "value": ["k": [1, 2]],
            "object": ["o": 1],
            "raw": [1, 2],
            "last": .integer(.min),
        ]
        #expect(String(decoding: writer.bytes, as: UTF8.self) == expected.text)
        #expect(writer.count == expected.serialized().count)
    }

    @Test("lines follow each other without commas")
    func lines() {
        var writer = JSONWriter()
        for number in 1...2 {
            writer.beginArray()
            writer.integer(number)
            writer.endArray()
            writer.newline()
        }
        #expect(String(decoding: writer.bytes, as: UTF8.self) == "[1]\n[2]\n")
        writer.removeAll()
        writer.bool(true)
        #expect(String(decoding: writer.bytes, as: UTF8.self) == "true")
    }

    @Test("bytes are appended to what is there")
    func appends() {
        var bytes = Array("x".utf8)
        JSON.array([1, "a"]).write(into: &bytes)
        JSONObject([("k", nil)]).write(into: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == #"x[1,"a"]{"k":null}"#)
    }
}
