/// Why a `plugin.json` cannot be used.
public struct ManifestFault: Error, Equatable, Sendable, CustomStringConvertible {
    /// Everything that is wrong, each with its key.
    public let problems: [String]

    /// All problems, one after the other.
    public var description: String { problems.joined(separator: "; ") }
}
