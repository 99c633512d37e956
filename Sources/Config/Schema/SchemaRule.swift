internal import JSON

/// What a value may be.
struct SchemaRule: Sendable, Equatable {
    enum Kind: String, Sendable, CaseIterable {
        case null, boolean, integer, number, string, array, object
    }

    enum Reference: Sendable, Equatable {
        case root
        case definition(String)
    }

    struct Property: Sendable, Equatable {
        var name: String
        var rule: SchemaRule
    }

    /// What is allowed beside the named properties.
    enum Additional: Sendable, Equatable {
        case anything
        case nothing
        /// One rule; in a list, since a value cannot hold its own kind.
        case matching([SchemaRule])
    }

    /// Stands for another rule; then only ``isSecret`` counts beside it.
    var reference: Reference?
    /// Empty for any.
    var kinds: [Kind] = []
    var properties: [Property] = []
    var required: [String] = []
    var additional = Additional.anything
    /// None or one.
    var items: [SchemaRule] = []
    var itemCount: ClosedRange<Int> = 0...Int.max
    /// The values allowed; nil for any.
    var choices: [JSON]?
    var minimum: Double?
    var maximum: Double?
    /// In characters (Unicode scalars).
    var length: ClosedRange<Int> = 0...Int.max
    var pattern: String?
    var anyOf: [SchemaRule] = []
    var oneOf: [SchemaRule] = []
    var isSecret = false
    /// The first sentence of the description, told where a required key is missing.
    var summary: String?

    func allows(_ kind: Kind) -> Bool {
        kinds.isEmpty || kinds.contains(kind) || (kind == .integer && kinds.contains(.number))
    }
}

extension SchemaRule.Kind {
    /// With an article, for messages.
    var words: String {
        switch self {
        case .null: "nothing"
        case .boolean: "true or false"
        case .integer: "a whole number"
        case .number: "a number"
        case .string: "text"
        case .array: "a list"
        case .object: "a group of keys"
        }
    }

    init(of json: JSON) {
        switch json {
        case .null: self = .null
        case .bool: self = .boolean
        case .integer, .unsigned: self = .integer
        case .double: self = .number
        case .string: self = .string
        case .array: self = .array
        case .object: self = .object
        }
    }
}
