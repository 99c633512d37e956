/// Text that prints as `<redacted>`; whoever needs it says so with ``exposed``.
public struct HiddenText: Equatable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
    /// The text in clear.
    public let exposed: String

    /// Hides a text.
    public init(_ text: String) { exposed = text }

    /// Always `<redacted>`.
    public var description: String { "<redacted>" }
    /// Always `<redacted>`.
    public var debugDescription: String { description }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
