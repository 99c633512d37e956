public import JSON

/// An object that prints as `<redacted>`; whoever needs it says so with ``exposed``.
public struct HiddenObject: Equatable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The object in clear.
    public let exposed: JSONObject

    /// Hides an object.
    public init(_ object: JSONObject) { exposed = object }

    /// Always `<redacted>`.
    public var description: String { "<redacted>" }
    /// Always `<redacted>`.
    public var debugDescription: String { description }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
