public import JSON

/// A thing that a device can be asked to do.
public struct ActionDescription: Equatable, Sendable {
    /// The last level of the action's topic: lower case with underscores.
    public var name: String
    /// What a person calls it.
    public var title: String
    /// What it means; nil where nothing but the schema is known.
    public var role: Role?
    /// What its input may be; nil for an action without input.
    public var input: DataSchema?
    /// What its answer may be; nil where it has none.
    public var output: DataSchema?
    /// How long it may take before it counts as failed, in milliseconds.
    public var deadlineMs: Int

    /// Describes an action.
    public init(
        _ name: String,
        title: String,
        role: Role? = nil,
        input: DataSchema? = nil,
        output: DataSchema? = nil,
        deadlineMs: Int = 10_000
    ) {
        self.name = name
        self.title = title
        self.role = role
        self.input = input
        self.output = output
        self.deadlineMs = deadlineMs
    }
}

extension ActionDescription {
    /// `{"title","role"?,"input"?,"output"?,"deadline_ms"}`.
    public var json: JSON {
        var object: JSONObject = ["title": .string(title)]
        if let role { object["role"] = .string(role.rawValue) }
        if let input { object["input"] = .object(input.json) }
        if let output { object["output"] = .object(output.json) }
        object["deadline_ms"] = .integer(Int64(deadlineMs))
        return .object(object)
    }

    /// Reads the form that ``json`` writes.
    ///
    /// - Throws: `bad_request`, naming the key.
    public init(_ name: String, json: JSON) throws(CommandError) {
        try checkMemberName(name, at: "actions.\(name)")
        self.init(name, title: json["title"]?.stringValue ?? name)
        role = json["role"]?.stringValue.map(Role.init(rawValue:))
        if let schema = json["input"] { input = try DataSchema(json: schema, at: "actions.\(name).input") }
        if let schema = json["output"] { output = try DataSchema(json: schema, at: "actions.\(name).output") }
        if let limit = json["deadline_ms"]?.intValue { deadlineMs = min(max(limit, 100), 600_000) }
    }
}
