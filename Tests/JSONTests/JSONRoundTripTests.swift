import JSON
import Testing

@Suite("JSON round trips")
struct JSONRoundTripTests {
    @Test("random values come back equal", arguments: 1...20)
    func randomValues(seed: Int) throws {
        var random = SplitMix(seed: UInt64(seed))
        for _ in 0..<300 {
            let value = makeValue(depth: 5, random: &random)
            let bytes = value.serialized()
            let parsed = try JSON.parse(bytes, limits: JSONLimits(duplicateKeys: .reject))
            #expect(parsed == value)
            #expect(parsed.serialized() == bytes)
        }
    }

    @Test("random integers and doubles come back equal")
    func randomNumbers() throws {
        var random = SplitMix(seed: 77)
        for _ in 0..<20_000 {
            let bits = random.next() >> UInt64.random(in: 0...63, using: &random)
            #expect(try JSON.parse("\(bits)") == JSON(bits))
            let signed = Int64(bitPattern: bits)
            #expect(try JSON.parse("\(signed)") == .integer(signed))
            #expect(JSON.integer(signed).text == "\(signed)")
            let double = Double(bitPattern: random.next())
            guard double.isFinite else { continue }
            #expect(try JSON.parse(JSON.double(double).serialized()) == .double(double))
        }
    }

    @Test("changed bytes never crash, and errors point into the text")
    func mutations() {
        var random = SplitMix(seed: 99)
        for _ in 0..<3_000 {
            var bytes = makeValue(depth: 4, random: &random).serialized()
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
                default: if bytes.count > 1 { bytes.remove(at: place) }
                }
            }
            do throws(JSONError) {
                let value = try JSON.parse(bytes)
                #expect((try? JSON.parse(value.serialized())) == value)
            } catch {
                #expect((0...bytes.count).contains(error.offset))
            }
        }
    }

    private func makeValue(depth: Int, random: inout SplitMix) -> JSON {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &random) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &random))
        case 2: return JSON(random.next() >> UInt64.random(in: 0...63, using: &random))
        case 3: return .integer(Int64.random(in: .min...0, using: &random))
        case 4:
            let double = Double(bitPattern: random.next())
            return .double(double.isFinite ? double : 0.25)
        case 5: return .string(makeString(random: &random))
        case 6:
            return .array(
                (0..<Int.random(in: 0...6, using: &random)).map { _ in
                    makeValue(depth: depth - 1, random: &random)
                }
            )
        default:
            let count = Int.random(in: 0...(depth == 1 ? 25 : 6), using: &random)
            return .object(
                JSONObject(
                    (0..<count).map { _ in
                        (makeString(random: &random), makeValue(depth: depth - 1, random: &random))
                    }
                )
            )
        }
    }

    private func makeString(random: inout SplitMix) -> String {
        var scalars = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...20, using: &random) {
            let range: ClosedRange<UInt32> = [0...0x7f, 0x20...0x7e, 0...0x7ff, 0...0xffff, 0x10000...0x10ffff]
                .randomElement(using: &random, default: 0...0)
            if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) { scalars.append(scalar) }
        }
        return String(scalars)
    }
}
