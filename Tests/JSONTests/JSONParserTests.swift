import JSON
import Testing

/// Parses and returns the error, `nil` if the text is accepted.
func parseError(_ bytes: [UInt8], limits: JSONLimits = .standard) -> JSONError? {
    do throws(JSONError) {
        _ = try JSON.parse(bytes, limits: limits)
        return nil
    } catch {
        return error
    }
}

func parseError(_ text: String, limits: JSONLimits = .standard) -> JSONError? {
    parseError(Array(text.utf8), limits: limits)
}

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

    static let accepted: [(String, JSON)] = [
        ("null", nil),
        ("true", true),
        ("false", false),
        ("0", 0),
        ("42 ", 42),
        (" \t\r\n 42\n", 42),
        (#""""#, ""),
        (#" "asd" "#, "asd"),
        ("[]", []),
        ("[ ]", []),
        ("[\n1\t, 2\r]", [1, 2]),
        ("[[]   ]", [[]]),
        ("[[[[[]]]]]", [[[[[]]]]]),
        ("[null, 1, \"1\", {}]", [nil, 1, "1", [:]]),
        ("[1,null,null,null,2]", [1, nil, nil, nil, 2]),
        ("{}", [:]),
        ("{ \n }", [:]),
        (#"{"":0}"#, ["": 0]),
        (#"{"a":{"a":{"a":[]}}}"#, ["a": ["a": ["a": []]]]),
        (#"{ "min" : -1.0e+28 , "max":1.0e+28 }"#, ["min": -1.0e28, "max": 1.0e28]),
        (#"{"fo\u0000o":42}"#, ["fo\0o": 42]),
        (#"{"x":[{"id":"x"}],"id":"y"}"#, ["x": [["id": "x"]], "id": "y"]),
    ]

    @Test("valid texts are read", arguments: accepted)
    func accepts(text: String, expected: JSON) throws {
        #expect(try JSON.parse(text) == expected)
    }

    static let refused: [(String, JSONError.Kind, Int)] = [
        ("", .unexpectedEnd, 0),
        ("  \n", .unexpectedEnd, 3),
        ("nul", .unexpectedEnd, 3),
        ("nulL", .unexpectedByte(UInt8(ascii: "L")), 3),
        ("nulll", .trailingBytes, 4),
        ("True", .unexpectedByte(UInt8(ascii: "T")), 0),
        ("truth", .unexpectedByte(UInt8(ascii: "t")), 3),
        ("fals", .unexpectedEnd, 4),
        ("NaN", .unexpectedByte(UInt8(ascii: "N")), 0),
        ("Infinity", .unexpectedByte(UInt8(ascii: "I")), 0),
        ("'a'", .unexpectedByte(UInt8(ascii: "'")), 0),
        ("\u{c}1", .unexpectedByte(0x0c), 0),
        ("\u{2060}", .unexpectedByte(0xe2), 0),
        ("\u{a0}1", .unexpectedByte(0xc2), 0),
        ("\u{feff}{}", .byteOrderMark, 0),
        ("<.>", .unexpectedByte(UInt8(ascii: "<")), 0),
        ("*", .unexpectedByte(UInt8(ascii: "*")), 0),
        ("1 2", .trailingBytes, 2),
        ("[1]x", .trailingBytes, 3),
        ("[][]", .trailingBytes, 2),
        ("{}}", .trailingBytes, 2),
        ("1\0", .trailingBytes, 1),
        ("{\"a\":\"b\"}/**/", .trailingBytes, 9),
        ("{\"a\":\"b\"}#", .trailingBytes, 9),
        ("[", .unexpectedEnd, 1),
        ("[1", .unexpectedEnd, 2),
        ("[1,", .unexpectedEnd, 3),
        ("[,1]", .unexpectedByte(UInt8(ascii: ",")), 1),
        ("[1,,2]", .unexpectedByte(UInt8(ascii: ",")), 3),
        ("[1,]", .unexpectedByte(UInt8(ascii: "]")), 3),
        ("[1 2]", .unexpectedByte(UInt8(ascii: "2")), 3),
        ("[1:2]", .unexpectedByte(UInt8(ascii: ":")), 2),
        ("[1}", .unexpectedByte(UInt8(ascii: "}")), 2),
        ("[\"\",\n4,\n1,", .unexpectedEnd, 10),
        ("]", .unexpectedByte(UInt8(ascii: "]")), 0),
        ("[/*x*/1]", .unexpectedByte(UInt8(ascii: "/")), 1),
        ("{", .unexpectedEnd, 1),
        ("{\"a\"", .unexpectedEnd, 4),
        ("{\"a\":", .unexpectedEnd, 5),
        ("{\"a\":1", .unexpectedEnd, 6),
        ("{\"a\":1,", .unexpectedEnd, 7),
        ("{\"a\":1,}", .unexpectedByte(UInt8(ascii: "}")), 7),
        ("{\"a\":1,,\"b\":2}", .unexpectedByte(UInt8(ascii: ",")), 7),
        ("{,}", .unexpectedByte(UInt8(ascii: ",")), 1),
        ("{\"a\" 1}", .unexpectedByte(UInt8(ascii: "1")), 5),
        ("{\"a\",1}", .unexpectedByte(UInt8(ascii: ",")), 4),
        ("{\"a\"::1}", .unexpectedByte(UInt8(ascii: ":")), 5),
        ("{\"a\":1 \"b\":2}", .unexpectedByte(UInt8(ascii: "\"")), 7),
        ("{a:1}", .unexpectedByte(UInt8(ascii: "a")), 1),
        ("{1:1}", .unexpectedByte(UInt8(ascii: "1")), 1),
        ("{null:1}", .unexpectedByte(UInt8(ascii: "n")), 1),
        ("{[]:1}", .unexpectedByte(UInt8(ascii: "[")), 1),
        ("{'a':1}", .unexpectedByte(UInt8(ascii: "'")), 1),
        ("{\"a\":1]", .unexpectedByte(UInt8(ascii: "]")), 6),
        ("{\"a\":}", .unexpectedByte(UInt8(ascii: "}")), 5),
        ("[\"a\",\u{1}]", .unexpectedByte(1), 5),
    ]

    @Test("texts against the grammar are refused with reason and place", arguments: refused)
    func refuses(text: String, kind: JSONError.Kind, offset: Int) {
        #expect(parseError(text) == JSONError(kind, at: offset))
    }

    @Test("UTF-16 is refused")
    func refusesUTF16() {
        #expect(parseError([0xff, 0xfe, 0x5b, 0x00, 0x5d, 0x00])?.offset == 0)
        #expect(parseError([0x00, 0x5b, 0x00, 0x5d])?.kind == .unexpectedByte(0))
    }

    @Test("every beginning of a text is refused, and only at its end")
    func refusesBeginnings() throws {
        let text = Array(#"{"a\n\u00e9\ud83d\ude00é😀":[true,false,null,-1.5e+3,{"b":""}]}"#.utf8)
        _ = try JSON.parse(text)
        for count in 0..<text.count {
            let error = try #require(parseError(Array(text.prefix(count))))
            #expect(error.offset <= count, "after \(count) bytes")
            #expect(error.kind == .unexpectedEnd || error.kind == .invalidUTF8 || error.kind == .loneSurrogate)
        }
    }

    @Test("a slice is read with offsets from its own start")
    func readsSlices() throws {
        let bytes = Array("xx[1,2]yy".utf8)
        #expect(try JSON.parse(bytes[2..<7]) == [1, 2])
        #expect(throws: JSONError(.trailingBytes, at: 5)) { try JSON.parse(bytes[2..<8]) }
    }

    @Test("an error says in plain words what is wrong and where")
    func describesErrors() {
        #expect(parseError("[1,]")?.description == "unexpected ']' at byte 3")
        #expect(parseError("[\u{1}]")?.description == "unexpected byte 0x01 at byte 1")
        #expect(parseError("01")?.description == "not a valid number at byte 0")
    }
}
