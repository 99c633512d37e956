import JSON
import Testing

@Suite("JSON objects")
struct JSONObjectTests {
    private func object(_ count: Int) -> JSONObject {
        JSONObject((0..<count).map { ("key\($0)", JSON($0)) })
    }

    @Test("members keep the order in which they were added")
    func order() {
        var object: JSONObject = ["z": 1, "a": 2]
        object["m"] = 3
        object["z"] = 4
        #expect(Array(object.keys) == ["z", "a", "m"])
        #expect(JSON.object(object).text == #"{"z":4,"a":2,"m":3}"#)
        #expect(object.map(\.value) == [4, 2, 3])
    }

    @Test("members are found, replaced and removed at every size", arguments: [0, 1, 2, 15, 16, 17, 18, 40, 1000])
    func sizes(count: Int) {
        var object = object(count)
        #expect(object.count == count)
        #expect(object["none"] == nil)
        for index in 0..<count {
            #expect(object["key\(index)"] == JSON(index))
            object["key\(index)"] = JSON(index * 2)
        }
        #expect(object.count == count)
        for index in stride(from: 0, to: count, by: 3) {
            object["key\(index)"] = nil
        }
        object["none"] = nil
        for index in 0..<count {
            let expected: JSON? = index % 3 == 0 ? Optional.none : JSON(index * 2)
            #expect(object["key\(index)"] == expected)
        }
        object["new"] = true
        #expect(object["new"] == true)
        #expect(Array(object.keys).last == "new")
    }

    @Test("random changes leave what a dictionary would hold")
    func againstDictionary() {
        var random = SplitMix(seed: 5)
        var object = JSONObject()
        var model: [String: JSON] = [:]
        for step in 0..<5_000 {
            let key = "k\(Int.random(in: 0..<40, using: &random))"
            let value: JSON? = Int.random(in: 0..<3, using: &random) == 0 ? Optional.none : JSON(step)
            object[key] = value
            model[key] = value
            #expect(object[key] == value)
            #expect(object.count == model.count)
        }
        #expect(Dictionary(uniqueKeysWithValues: object.map { ($0.key, $0.value) }) == model)
    }

    @Test("equality ignores order", arguments: [2, 10, 17, 100])
    func equality(count: Int) {
        let object = object(count)
        let reversed = JSONObject(object.reversed().map { ($0.key, $0.value) })
        #expect(object == reversed)
        var changed = reversed
        changed["key0"] = nil
        #expect(object != changed)
        changed["key0"] = 99
        #expect(object != changed)
        changed["key0"] = 0
        #expect(object == changed)
        changed["key0"] = nil
        changed["other"] = 0
        #expect(object != changed)
    }

    @Test("a copy does not follow later changes")
    func copies() {
        let original = object(20)
        var copy = original
        copy["key3"] = nil
        copy["key4"] = "x"
        #expect(original["key3"] == 3)
        #expect(original["key4"] == 4)
        #expect(copy["key3"] == nil)
    }

    @Test("a large object is read in linear time")
    func large() throws {
        let count = 20_000
        let text = "{" + (0..<count).map { "\"key number \($0)\":\($0)" }.joined(separator: ",") + "}"
        let value = try JSON.parse(text)
        let object = try #require(value.objectValue)
        #expect(object.count == count)
        for index in stride(from: 0, to: count, by: 7) {
            #expect(object["key number \(index)"] == JSON(index))
        }
        #expect(value.text == text)
    }
}
