import JSON
import Testing

@Suite("JSON access")
struct JSONAccessTests {
    let value: JSON = [
        "bool": true, "int": 7, "double": 2.5, "text": "x", "list": [1, [2]], "object": ["a/b": 1, "m~n": 2, "": 3],
        "null": nil,
    ]

    @Test("values come out as what they are and as nothing else")
    func accessors() {
        #expect(value["bool"]?.boolValue == true)
        #expect(value["int"]?.boolValue == nil)
        #expect(value["int"]?.intValue == 7)
        #expect(value["text"]?.stringValue == "x")
        #expect(value["text"]?.intValue == nil)
        #expect(value["list"]?.arrayValue?.count == 2)
        #expect(value["list"]?.objectValue == nil)
        #expect(value["object"]?.objectValue?.count == 3)
        #expect(value["null"]?.isNull == true)
        #expect(value["none"]?.isNull == nil)
        #expect(value["int"]?["x"] == nil)
        #expect(value["list"]?[2] == nil)
        #expect(value["list"]?[-1] == nil)
        #expect(value[0] == nil)
    }

    @Test("whole numbers come out as integers, others do not")
    func integers() {
        #expect(JSON.double(3).intValue == 3)
        #expect(JSON.double(3.5).intValue == nil)
        #expect(JSON.double(-0.0).intValue == 0)
        #expect(JSON.double(1e300).intValue == nil)
        #expect(JSON.double(.nan).intValue == nil)
        #expect(JSON.double(0x1p63).intValue == nil)
        #expect(JSON.double(-0x1p63).intValue == .min)
        #expect(JSON.unsigned(.max).intValue == nil)
        #expect(JSON.unsigned(.max).unsignedValue == .max)
        #expect(JSON.integer(-1).unsignedValue == nil)
        #expect(JSON.double(0x1p63).unsignedValue == 1 << 63)
        #expect(JSON.double(0x1p64).unsignedValue == nil)
        #expect(JSON.double(-1).unsignedValue == nil)
    }

    @Test("every number comes out as a double")
    func doubles() {
        #expect(JSON.integer(7).doubleValue == 7)
        #expect(JSON.unsigned(.max).doubleValue == 0x1p64)
        #expect(JSON.double(2.5).doubleValue == 2.5)
        #expect(JSON.string("2.5").doubleValue == nil)
    }

    static let pointerCases: [(String, JSON?)] = [
        ("/int", 7), ("/list/0", 1), ("/list/1/0", 2), ("/object/a~1b", 1), ("/object/m~0n", 2), ("/object/", 3),
        ("/null", .null), ("int", nil), ("/none", nil), ("/list/2", nil), ("/list/-", nil), ("/list/00", nil),
        ("/list/+0", nil), ("/list/-1", nil), ("/int/0", nil), ("/object/~2", nil), ("/object/~", nil),
        ("/list/99999999999999999999", nil),
    ]

    @Test("a pointer leads to a value or nowhere", arguments: pointerCases)
    func pointer(pointer: String, expected: JSON?) {
        #expect(value[pointer: pointer] == expected)
    }

    @Test("the empty pointer is the value itself")
    func emptyPointer() {
        #expect(value[pointer: ""] == value)
    }
}
