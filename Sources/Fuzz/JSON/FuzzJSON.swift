import FuzzSupport
import JSON

/// Anything into the parser: what it accepts must come back equal, what it refuses must name a place in the input.
@main
struct FuzzJSON: FuzzTarget {
    static func test(_ input: [UInt8]) {
        let limits = JSONLimits(maxDepth: 100, duplicateKeys: .reject)
        do throws(JSONError) {
            let value = try JSON.parse(input, limits: limits)
            let written = value.serialized()
            expect((try? JSON.parse(written, limits: limits)) == value, "the written text is another value")
            expect((try? JSON.parse(written))?.serialized() == written, "writing is not stable")
            expect(String(validating: written, as: UTF8.self) == value.text, "the written text is not UTF-8")
            expect(written.allSatisfy { $0 >= 0x20 }, "a control character is not escaped")
        } catch {
            expect((0...input.count).contains(error.offset), "the error is outside the input")
            expect(!error.description.isEmpty, "the error has no words")
        }
        if let value = try? JSON.parse(input[...]) {
            expect((try? JSON.parse(value.serialized(), limits: limits)) == value, "equal keys were kept")
        }
    }
}
