/// Named secrets of a device or plugin, such as a local key.
///
/// It prints as `<redacted>`, has no coding and no JSON form: whoever needs a value says so with ``exposed``.
public struct Secrets: Equatable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The values in clear, by name.
    ///
    /// Keep them out of logs, topics, errors and reports.
    public let exposed: [String: String]

    /// Wraps values.
    public init(_ values: [String: String] = [:]) { exposed = values }

    /// Whether there is none.
    public var isEmpty: Bool { exposed.isEmpty }
    /// Always `<redacted>`.
    public var description: String { "<redacted>" }
    /// Always `<redacted>`.
    public var debugDescription: String { description }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// These and `other`; where both have a name, `other` wins.
    public func merging(_ other: Secrets) -> Secrets { Secrets(exposed.merging(other.exposed) { $1 }) }
}
