/// What a parser accepts beyond the grammar.
public struct JSONLimits: Sendable, Equatable {
    /// What to do with a key that an object has already.
    public enum DuplicateKeys: Sendable, Equatable {
        /// The text is refused with ``JSONError/Kind/duplicateKey``.
        case reject
        /// The last value counts, in the place of the first.
        case keepLast
    }

    /// The most depth that ``maxDepth`` can allow, whatever it says: deeper values would endanger the stack.
    public static let deepest = 512

    /// How many arrays and objects may be inside each other.
    ///
    /// 0 allows only scalars; above ``deepest`` it counts as that.
    public var maxDepth = 64
    /// The longest text, in bytes.
    public var maxBytes = 1 << 20
    /// The longest string or key, in bytes of its decoded UTF-8.
    public var maxStringBytes = Int.max
    /// What to do with a key that an object has already.
    public var duplicateKeys = DuplicateKeys.keepLast

    /// Makes limits with the standard values where nothing else is said.
    public init(
        maxDepth: Int = 64,
        maxBytes: Int = 1 << 20,
        maxStringBytes: Int = Int.max,
        duplicateKeys: DuplicateKeys = .keepLast
    ) {
        self.maxDepth = maxDepth
        self.maxBytes = maxBytes
        self.maxStringBytes = maxStringBytes
        self.duplicateKeys = duplicateKeys
    }

    /// For text from our own programs and devices: depth 64, 1 MiB, the last of equal keys counts.
    public static let standard = JSONLimits()

    /// For commands from anyone: depth 16, 64 KiB, equal keys are refused.
    public static let command = JSONLimits(
        maxDepth: 16,
        maxBytes: 64 << 10,
        maxStringBytes: 64 << 10,
        duplicateKeys: .reject
    )
}
