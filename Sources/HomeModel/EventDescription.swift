public import JSON

/// A thing that happens at a device and is no state.
public struct EventDescription: Equatable, Sendable {
    /// The event's type in messages: lower case with underscores.
    public var name: String
    /// What a person calls it.
    public var title: String
    /// What it means; nil where nothing but the schema is known.
    public var role: Role?
    /// What its data may be; nil where it has none.
    public var data: DataSchema?

    /// Describes an event.
    public init(_ name: String, title: String, role: Role? = nil, data: DataSchema? = nil) {
        self.name = name
        self.title = title
        self.role = role
        self.data = data
    }
}

extension EventDescription {
    /// `{"title","role"?,"data"?}`.
    public var json: JSON {
        var object: JSONObject = ["title": .string(title)]
        if let role { object["role"] = .string(role.rawValue) }
        if let data { object["data"] = .object(data.json) }
        return .object(object)
    }

    /// Reads the form that ``json`` writes.
    ///
    /// - Throws: `bad_request`, naming the key.
    public init(_ name: String, json: JSON) throws(CommandError) {
        try checkMemberName(name, at: "events.\(name)")
        self.init(name, title: json["title"]?.stringValue ?? name)
        role = json["role"]?.stringValue.map(Role.init(rawValue:))
        if let schema = json["data"] { data = try DataSchema(json: schema, at: "events.\(name).data") }
    }
}
