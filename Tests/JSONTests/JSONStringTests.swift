import JSON
import Testing

@Suite("JSON strings")
struct JSONStringTests {
    static let accepted: [(String, String)] = [
        (#""""#, ""),
        (#""a""#, "a"),
        (#""1234567""#, "1234567"),
        (#""12345678""#, "12345678"),
        (#""123456789abcdef""#, "123456789abcdef"),
        (#""123456789abcdefg""#, "123456789abcdefg"),
        (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"),
        (#""/ & ' <>""#, "/ & ' <>"),
        (#""\u0060\u012a\u12AB""#, "\u{60}\u{12a}\u{12ab}"),
        (#""\u0000""#, "\0"),
        (#""\u001f\u007F""#, "\u{1f}\u{7f}"),
        (#""\u0022\u005c""#, "\"\\"),
        (#""\uD801\udc37""#, "\u{10437}"),
        (#""\ud83d\ude39\ud83d\udc8d""#, "😹💍"),
        (#""\uDBFF\uDFFF\uFFFF\uFDD0""#, text(0x10ffff, 0xffff, 0xfdd0)),
        (#""\\u0041""#, "\\u0041"),
        (#""\uE000\uD7FF""#, text(0xe000, 0xd7ff)),
        ("\"\u{7f}\"", "\u{7f}"),
        ("\"é€😀\"", "é€😀"),
        ("\"\u{80}\u{7ff}\u{800}\u{ffff}\u{10000}\u{10ffff}\"", "\u{80}\u{7ff}\u{800}\u{ffff}\u{10000}\u{10ffff}"),
        ("\"\u{feff}\u{2028}\u{2029}\"", "\u{feff}\u{2028}\u{2029}"),
        ("\"π12345678é\\n12345678ü\"", "π12345678é\n12345678ü"),
    ]

    private static func text(_ scalars: UInt32...) -> String {
        String(String.UnicodeScalarView(scalars.compactMap(Unicode.Scalar.init)))
    }

    @Test("strings are decoded", arguments: accepted)
    func accepts(text: String, expected: String) throws {
        let value = try JSON.parse(text)
        #expect(value == .string(expected))
        #expect(try JSON.parse(value.text) == value)
    }

    static let refused: [(String, JSONError.Kind, Int)] = [
        ("\"", .unexpectedEnd, 1),
        ("\"abc", .unexpectedEnd, 4),
        ("\"abcdefghijk", .unexpectedEnd, 12),
        ("\"a\\", .unexpectedEnd, 3),
        ("\"a\\\"", .unexpectedEnd, 4),
        ("\"\\u00", .unexpectedEnd, 5),
        ("\"\\u00\"", .invalidEscape, 1),
        ("\"\\u00G0\"", .invalidEscape, 1),
        ("\"\\uqqqq\"", .invalidEscape, 1),
        ("\"ab\\x00\"", .invalidEscape, 3),
        ("\"\\a\"", .invalidEscape, 1),
        ("\"\\'\"", .invalidEscape, 1),
        ("\"\\U0041\"", .invalidEscape, 1),
        ("\"\\\u{e9}\"", .invalidEscape, 1),
        ("\"\\\0\"", .invalidEscape, 1),
        ("\"a\u{0}b\"", .controlCharacter(0), 2),
        ("\"12345678\u{1f}\"", .controlCharacter(0x1f), 9),
        ("\"a\nb\"", .controlCharacter(0x0a), 2),
        ("\"\t\"", .controlCharacter(0x09), 1),
        ("\"\\n\t\"", .controlCharacter(0x09), 3),
        ("\"\\uD800\"", .loneSurrogate, 1),
        ("\"a\\uDC00\"", .loneSurrogate, 2),
        ("\"\\uD800\\n\"", .loneSurrogate, 1),
        ("\"\\uD800\\u0041\"", .loneSurrogate, 1),
        ("\"\\uD800\\uD800\"", .loneSurrogate, 1),
        ("\"\\uD800\\uD800\\uDC00\"", .loneSurrogate, 1),
        ("\"\\uDC00\\uD800\"", .loneSurrogate, 1),
        ("\"\\uD800abc\"", .loneSurrogate, 1),
        ("\"\\uD800\\u00\"", .invalidEscape, 7),
        ("{\"\\uD800\":1}", .loneSurrogate, 2),
    ]

    @Test("bad strings are refused with reason and place", arguments: refused)
    func refuses(text: String, kind: JSONError.Kind, offset: Int) {
        #expect(parseError(text) == JSONError(kind, at: offset))
    }

    static let invalidUTF8: [(name: String, bytes: [UInt8], offset: Int)] = [
        ("a lone continuation", [0x80], 0),
        ("a lone continuation after text", [0x61, 0x62, 0xbf], 2),
        ("a missing continuation", [0xc3], 0),
        ("a start followed by ASCII", [0xc3, 0x28], 0),
        ("an overlong slash", [0xc0, 0xaf], 0),
        ("an overlong DEL", [0xc1, 0xbf], 0),
        ("an overlong three byte form", [0xe0, 0x9f, 0xbf], 0),
        ("an overlong four byte form", [0xf0, 0x8f, 0xbf, 0xbf], 0),
        ("a surrogate", [0xed, 0xa0, 0x80], 0),
        ("the last surrogate", [0xed, 0xbf, 0xbf], 0),
        ("above U+10FFFF", [0xf4, 0x90, 0x80, 0x80], 0),
        ("a five byte form", [0xf8, 0x88, 0x80, 0x80, 0x80], 0),
        ("FE", [0xfe], 0),
        ("FF", [0xff], 0),
        ("Latin-1 é", [0xe9], 0),
        ("two bytes of three", [0xe2, 0x82], 0),
        ("three bytes of four", [0x61, 0xf0, 0x9f, 0x98], 1),
        ("a good one and a bad one", [0xc3, 0xa9, 0xe2, 0x28, 0xa1], 2),
        ("far into the text", Array("0123456789abcdef".utf8) + [0xff], 16),
    ]

    @Test("bytes that are not UTF-8 are refused", arguments: invalidUTF8.indices)
    func refusesInvalidUTF8(index: Int) {
        let (name, bytes, offset) = Self.invalidUTF8[index]
        let quote = UInt8(ascii: "\"")
        #expect(parseError([quote] + bytes + [quote]) == JSONError(.invalidUTF8, at: offset + 1), "\(name)")
        let escaped = Array(#""\n"#.utf8) + bytes + [quote]
        #expect(parseError(escaped) == JSONError(.invalidUTF8, at: offset + 3), "\(name) after an escape")
        let beforeEscape = [quote] + bytes + Array(#"\n""#.utf8)
        #expect(parseError(beforeEscape) == JSONError(.invalidUTF8, at: offset + 1), "\(name) before an escape")
    }

    @Test("UTF-8 is judged as Swift judges it, for all starts of two bytes and many of four")
    func agreesWithSwift() {
        var random = SplitMix(seed: 3)
        for first in UInt8(0x80)...0xff {
            for second in UInt8(0x30)...0xff where second != UInt8(ascii: "\\") {
                let tail = (0..<Int.random(in: 0...2, using: &random)).map { _ in
                    UInt8.random(in: 0x7f...0xc0, using: &random)
                }
                let bytes = [first, second] + tail
                let expected = String(validating: bytes, as: UTF8.self)
                let value = try? JSON.parse([0x22] + bytes + [0x22])
                #expect(value?.stringValue == expected, "\(bytes)")
            }
        }
    }

    @Test("a quote, backslash, control or accent is found at every place of a word")
    func everyPlace() throws {
        for length in 0..<40 {
            let plain = String(repeating: "x", count: length)
            for special in ["\"", "\\", "\u{0}", "\u{1f}", "\n", "é", "😀", "\u{7f}", " ", "!", "#", "[", "]"] {
                for tail in ["", "yz", "0123456789abcdef"] {
                    let value = JSON.string(plain + special + tail)
                    #expect(try JSON.parse(value.serialized()) == value)
                }
            }
        }
    }

    @Test("only what must be escaped is escaped")
    func escapesLittle() {
        let all = String(String.UnicodeScalarView((0...0x7f).map { Unicode.Scalar(UInt8($0)) }))
        let controls = #"\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007\b\t\n\u000b\f\r\u000e\u000f"#
        let more = (0x10...0x1f).map { #"\u00"# + String($0, radix: 16) }.joined()
        let plain =
            ##" !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~"##
        #expect(JSON.string(all).text == "\"" + controls + more + plain + "\u{7f}\"")
        #expect(JSON.string("é\u{2028}😀").text == "\"é\u{2028}😀\"")
    }

    @Test("long strings with many escapes survive")
    func longEscapes() throws {
        for length in [63, 64, 65, 255, 256, 257, 1000, 10_000] {
            let value = JSON.string(String(repeating: "\u{1}\"é", count: length))
            #expect(try JSON.parse(value.serialized()) == value)
        }
    }

    @Test("strings that differ only in their normal form differ")
    func comparesBytes() throws {
        #expect(JSON.string("\u{e9}") != .string("e\u{301}"))
        #expect(JSON.string("K") != .string("\u{212a}"))
        #expect(JSON.string("é") == .string("\u{e9}"))
    }
}
