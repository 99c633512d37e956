import JSON
import Testing

@Suite("JSON limits")
struct JSONLimitsTests {
    private func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    @Test("values may be as deep as the limit and no deeper")
    func depth() throws {
        _ = try JSON.parse(nested(64))
        #expect(parseError(nested(65)) == JSONError(.tooDeep(limit: 64), at: 64))
        _ = try JSON.parse(nested(16), limits: .command)
        #expect(parseError(nested(17), limits: .command) == JSONError(.tooDeep(limit: 16), at: 16))
        _ = try JSON.parse("1", limits: JSONLimits(maxDepth: 0))
        #expect(parseError("[]", limits: JSONLimits(maxDepth: 0)) == JSONError(.tooDeep(limit: 0), at: 0))
        _ = try JSON.parse("[[],[],{}]", limits: JSONLimits(maxDepth: 2))
        #expect(parseError(#"[{"a":{}}]"#, limits: JSONLimits(maxDepth: 2)) == JSONError(.tooDeep(limit: 2), at: 6))
    }

    @Test("no limit lets a text endanger the stack")
    func deepest() throws {
        let limits = JSONLimits(maxDepth: .max)
        let deepest = try JSON.parse(nested(JSONLimits.deepest), limits: limits)
        #expect(deepest.text == nested(JSONLimits.deepest))
        #expect(deepest == deepest)
        #expect(parseError(nested(100_000), limits: limits)?.kind == .tooDeep(limit: JSONLimits.deepest))
        let objects = String(repeating: #"{"a":"#, count: 100_000)
        #expect(parseError(objects, limits: limits)?.kind == .tooDeep(limit: JSONLimits.deepest))
    }

    @Test("a text may be as long as the limit and no longer")
    func size() throws {
        let text = "[" + String(repeating: " ", count: 98) + "]"
        _ = try JSON.parse(text, limits: JSONLimits(maxBytes: 100))
        #expect(parseError(text, limits: JSONLimits(maxBytes: 99)) == JSONError(.tooLarge(limit: 99), at: 99))
    }

    @Test("strings and keys may be as long as the limit, in decoded bytes")
    func strings() throws {
        let limits = JSONLimits(maxStringBytes: 4)
        for text in [#""abcd""#, #""é\u00e9""#, #"{"abcd":1}"#, #""\ud83d\ude00""#, #""\n\n\n\n""#] {
            _ = try JSON.parse(text, limits: limits)
        }
        #expect(parseError(#""abcde""#, limits: limits) == JSONError(.stringTooLong(limit: 4), at: 0))
        #expect(parseError(#"["éé\n"]"#, limits: limits) == JSONError(.stringTooLong(limit: 4), at: 1))
        #expect(parseError(#"{"abcde":1}"#, limits: limits) == JSONError(.stringTooLong(limit: 4), at: 1))
    }

    @Test("equal keys are refused or the last counts, as asked")
    func duplicateKeys() throws {
        let text = #"{"a":1,"b":2,"\u0061":3}"#
        #expect(try JSON.parse(text).text == #"{"a":3,"b":2}"#)
        #expect(parseError(text, limits: .command) == JSONError(.duplicateKey, at: 13))
        #expect(parseError(#"{"a":1,"a":1}"#, limits: .command) == JSONError(.duplicateKey, at: 7))
        _ = try JSON.parse(#"{"a":{"a":{"a":1}},"b":{"a":1}}"#, limits: .command)
    }

    @Test("equal keys are found in large objects too", arguments: [15, 16, 17, 18, 1000])
    func duplicateKeysInLargeObjects(count: Int) throws {
        let members = (0..<count).map { "\"key\($0)\":\($0)" }.joined(separator: ",")
        for repeated in [0, count / 2, count - 1] {
            let text = "{\(members),\"key\(repeated)\":-1}"
            let error = try #require(parseError(text, limits: .command))
            #expect(error == JSONError(.duplicateKey, at: members.utf8.count + 2))
            let value = try JSON.parse(text)
            #expect(value.objectValue?.count == count)
            #expect(value["key\(repeated)"] == -1)
            #expect(value.objectValue.map { Array($0)[repeated].key } == "key\(repeated)")
        }
    }

    @Test("keys that only look alike are different keys")
    func lookalikes() throws {
        let value = try JSON.parse(#"{"K":1,"\u212a":2,"é":3,"e\u0301":4}"#, limits: .command)
        #expect(value["K"] == 1)
        #expect(value["\u{212a}"] == 2)
        #expect(value["\u{e9}"] == 3)
        #expect(value["e\u{301}"] == 4)
    }
}
