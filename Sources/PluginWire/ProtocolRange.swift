/// The versions of the plugin protocol that one side speaks.
public struct ProtocolRange: Sendable, Equatable {
    /// What this gateway and this kit speak.
    public static let ours = ProtocolRange(versions: [1])

    /// Version numbers, ascending, each once.
    public let versions: [Int]

    /// Wraps version numbers in any order.
    public init(versions: [Int]) {
        self.versions = Set(versions).sorted()
    }

    /// The highest version that both speak, nil where there is none.
    public func best(with other: ProtocolRange) -> Int? {
        versions.last { other.versions.contains($0) }
    }
}
