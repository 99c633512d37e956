/// A repeatable source of numbers (SplitMix64), so that a failing case can be run again.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &self) }

    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }

    /// Some of the bytes changed, doubled, cut out, or swapped for those that mean something to a decoder.
    mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        let telling: [[UInt8]] = [
            [0, 0, 0x55, 0xAA], [0, 0, 0x66, 0x99], [0, 0, 0xAA, 0x55], [0, 0, 0x99, 0x66], [0, 0, 0, 0],
            [0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0x40, 0], [0, 0, 0, 8], [0, 0, 0, 28], [0x33, 0x2E, 0x33],
        ]
        for _ in 0..<number(1..<6) {
            guard !bytes.isEmpty else { return self.bytes(number(0..<40)) }
            let index = number(0..<bytes.count)
            switch number(0..<6) {
            case 0: bytes[index] = UInt8(truncatingIfNeeded: next())
            case 1: bytes[index] ^= 1 << UInt8(number(0..<8))
            case 2: bytes.removeLast(number(0..<(bytes.count - index)))
            case 3: bytes.insert(contentsOf: self.bytes(number(1..<9)), at: index)
            case 4: bytes.removeFirst(min(index, 8))
            default:
                for (offset, byte) in telling[number(0..<telling.count)].enumerated() where index + offset < bytes.count
                {
                    bytes[index + offset] = byte
                }
            }
        }
        return bytes
    }
}
