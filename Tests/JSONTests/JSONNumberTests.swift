import JSON
import Testing

@Suite("JSON numbers")
struct JSONNumberTests {
    static let integerCases: [(String, JSON)] = [
        ("0", .integer(0)),
        ("7", .integer(7)),
        ("-1", .integer(-1)),
        ("123456789", .integer(123_456_789)),
        ("999999999999999999", .integer(999_999_999_999_999_999)),
        ("1000000000000000000", .integer(1_000_000_000_000_000_000)),
        ("9223372036854775807", .integer(.max)),
        ("-9223372036854775807", .integer(.min + 1)),
        ("-9223372036854775808", .integer(.min)),
        ("9223372036854775808", .unsigned(1 << 63)),
        ("18446744073709551615", .unsigned(.max)),
    ]

    @Test("integers are exact in 64 bits and written unchanged", arguments: integerCases)
    func integers(text: String, expected: JSON) throws {
        #expect(try JSON.parse(text) == expected)
        #expect(expected.text == text)
        #expect(try JSON.parse("[\(text)]") == [expected])
    }

    static let doubleCases: [(String, Double)] = [
        ("0.0", 0),
        ("1.5", 1.5),
        ("-1.5", -1.5),
        ("123.456", 123.456),
        ("0.1", 0.1),
        ("1e0", 1),
        ("0e1", 0),
        ("0e+1", 0),
        ("0e999999999999999999999", 0),
        ("1E22", 1e22),
        ("1E+2", 100),
        ("1e-2", 0.01),
        ("1e23", 1e23),
        ("123e65", 123e65),
        ("123.456e78", 123.456e78),
        ("20e1", 200),
        ("-9223372036854775809", -0x1p63),
        ("18446744073709551616", 18_446_744_073_709_551_616),
        ("100000000000000000000", 1e20),
        ("184467440737095516150", 0x1.4000000000000p67),
        ("9007199254740993.0", 9_007_199_254_740_992),
        ("9007199254740993.00000000000000000000000000000000001", 9_007_199_254_740_994),
        ("0.000000000000000000000000000000000000000000000000001", 1e-51),
        ("1.7976931348623157e308", .greatestFiniteMagnitude),
        ("2.2250738585072014e-308", .leastNormalMagnitude),
        ("2.2250738585072011e-308", Double(bitPattern: 0xfffffffffffff)),
        ("4.9e-324", .leastNonzeroMagnitude),
        ("5e-324", .leastNonzeroMagnitude),
        ("1e-400", 0),
        ("123e-10000000", 0),
        ("3.141592653589793238462643383279502884197169399375105820974944592307816406286", .pi),
        ("6929495644600919.5", 6929495644600919.5),
        ("3.2378839133029012895883524125015321748630094e-319", Double(bitPattern: 0xffff)),
    ]

    @Test("other numbers are the nearest double", arguments: doubleCases)
    func doubles(text: String, expected: Double) throws {
        #expect(try JSON.parse(text) == .double(expected))
        #expect(try JSON.parse(text).doubleValue == Double(text))
    }

    @Test("a negative zero stays one", arguments: ["-0", "-0.0", "-0e5", "-1e-400"])
    func negativeZero(text: String) throws {
        let value = try #require(try JSON.parse(text).doubleValue)
        #expect(value == 0 && value.sign == .minus)
        #expect(try JSON.parse(text).intValue == 0)
        #expect(try JSON.parse(text).text == "-0.0")
    }

    static let invalid: [(String, JSONError.Kind, Int)] = [
        ("01", .invalidNumber, 0),
        ("-01", .invalidNumber, 0),
        ("00", .invalidNumber, 0),
        ("-", .unexpectedEnd, 1),
        ("--1", .invalidNumber, 1),
        ("-a", .invalidNumber, 1),
        ("- 1", .invalidNumber, 1),
        ("-Infinity", .invalidNumber, 1),
        ("+1", .unexpectedByte(UInt8(ascii: "+")), 0),
        (".5", .unexpectedByte(UInt8(ascii: ".")), 0),
        ("-.5", .invalidNumber, 1),
        ("1.", .unexpectedEnd, 2),
        ("[1.]", .invalidNumber, 3),
        ("1.e5", .invalidNumber, 2),
        ("1e", .unexpectedEnd, 2),
        ("1e+", .unexpectedEnd, 3),
        ("1e+-2", .invalidNumber, 3),
        ("[1ea]", .invalidNumber, 3),
        ("1.5.5", .trailingBytes, 3),
        ("1e5.5", .trailingBytes, 3),
        ("0x10", .trailingBytes, 1),
        ("1_000", .trailingBytes, 1),
        ("1a", .trailingBytes, 1),
        ("\u{ff11}", .unexpectedByte(0xef), 0),
        ("[0e+]", .invalidNumber, 4),
        ("1e309", .numberOutOfRange, 0),
        ("[-1e309]", .numberOutOfRange, 1),
        ("0.4e00669999999999999999999999999", .numberOutOfRange, 0),
        ("1.7976931348623159e308", .numberOutOfRange, 0),
    ]

    @Test("other notations and numbers out of range are refused", arguments: invalid)
    func refuses(text: String, kind: JSONError.Kind, offset: Int) {
        #expect(parseError(text) == JSONError(kind, at: offset))
    }

    @Test("an integer of a thousand digits is out of range, one of three hundred is not")
    func longIntegers() throws {
        #expect(parseError(String(repeating: "9", count: 1000))?.kind == .numberOutOfRange)
        #expect(try JSON.parse("1" + String(repeating: "0", count: 300)) == 1e300)
    }

    static let written: [(Double, String)] = [
        (3, "3.0"), (-3, "-3.0"), (0, "0.0"), (0.5, "0.5"), (21.25, "21.25"), (0.125, "0.125"), (1.125, "1.125"),
        (-0.001, "-0.001"), (0.002, "0.002"), (1.0005, "1.0005"), (0.1 + 0.2, "0.30000000000000004"),
        (999_999_999_999.999, "999999999999.999"), (999_999_999_999, "999999999999.0"), (1e12, "1000000000000.0"),
        (1e16, "1e+16"), (1e-7, "1e-07"), (.leastNonzeroMagnitude, "5e-324"),
        (.greatestFiniteMagnitude, "1.7976931348623157e+308"),
        (.pi, "3.141592653589793"), (100.1, "100.1"), (0.07, "0.07"),
    ]

    @Test("doubles are written as the shortest text that reads back", arguments: written)
    func writes(value: Double, text: String) throws {
        #expect(JSON.double(value).text == text)
        #expect(try JSON.parse(text) == .double(value))
    }

    @Test("short decimals are written as Swift writes them")
    func shortDecimals() {
        var random = SplitMix(seed: 11)
        for _ in 0..<20_000 {
            let digits = Double(Int64.random(in: -2_000_000...2_000_000, using: &random))
            let value = digits / [1, 10, 100, 1000, 10_000].randomElement(using: &random, default: 1)
            #expect(JSON.double(value).text == value.description)
        }
    }

    @Test("a double that is not finite is written as null")
    func writesNonFinite() {
        #expect(JSON.array([.double(.nan), .double(.infinity), .double(-.infinity)]).text == "[null,null,null]")
    }

    @Test("integers make their one case")
    func canonicalIntegers() {
        #expect(JSON(UInt64(5)) == .integer(5))
        #expect(JSON(UInt64.max) == .unsigned(.max))
        #expect(JSON(-5) == .integer(-5))
    }
}
