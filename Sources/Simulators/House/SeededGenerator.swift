/// Random numbers that are the same for the same seed (SplitMix64), so that a house can be described by one number.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Text of `count` characters out of `alphabet`.
    package mutating func text(_ count: Int, of alphabet: String) -> String {
        let letters = Array(alphabet)
        return String((0..<count).map { _ in letters[Int(next() % UInt64(letters.count))] })
    }
}
