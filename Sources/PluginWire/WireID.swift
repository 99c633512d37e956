public import JSON

/// What ties an answer to its request: the asking side's choice, echoed as it is.
public enum WireID: Hashable, Sendable {
    /// An integer; the gateway and the Swift kit count from 1.
    case number(Int64)
    /// Any text.
    case text(String)

    /// The id in a message, nil where it is neither an integer nor text.
    public init?(_ json: JSON) {
        switch json {
        case .integer(let value): self = .number(value)
        case .string(let value): self = .text(value)
        default: return nil
        }
    }

    /// The id as it stands in a message.
    public var json: JSON {
        switch self {
        case .number(let value): .integer(value)
        case .text(let value): .string(value)
        }
    }
}
