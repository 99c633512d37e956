public import JSON

/// A piece of a device's state: what it is called, what it may be and who may change it.
public struct PropertyDescription: Equatable, Sendable {
    /// Who may do what with a property.
    public enum Access: String, Sendable {
        /// Reported by the device and settable.
        case readWrite = "rw"
        /// Reported only.
        case readOnly = "ro"
        /// Settable, never reported.
        case writeOnly = "wo"
    }

    /// The key in state and commands: lower case with underscores, at most 64 bytes.
    public var name: String
    /// What a person calls it.
    public var title: String
    /// What it means; nil where nothing but the schema is known.
    public var role: Role?
    /// What its value may be.
    public var schema: DataSchema
    /// Who may change it.
    public var access: Access
    /// Whether a command must say `"expert": true` to change it.
    public var isExpertOnly: Bool

    /// Describes a property.
    public init(
        _ name: String,
        title: String,
        role: Role? = nil,
        schema: DataSchema,
        access: Access = .readWrite,
        isExpertOnly: Bool = false
    ) {
        self.name = name
        self.title = title
        self.role = role
        self.schema = schema
        self.access = access
        self.isExpertOnly = isExpertOnly
    }
}

extension PropertyDescription {
    /// The schema's JSON with `title`, `role`, `access` and, where so, `expert`.
    public var json: JSON {
        var object = schema.json
        object["title"] = .string(title)
        if let role { object["role"] = .string(role.rawValue) }
        object["access"] = .string(access.rawValue)
        if isExpertOnly { object["expert"] = true }
        return .object(object)
    }

    /// Reads the form that ``json`` writes.
    ///
    /// - Throws: `bad_request`, naming the key.
    public init(_ name: String, json: JSON) throws(CommandError) {
        let path = "properties.\(name)"
        try checkMemberName(name, at: path)
        let schema = try DataSchema(json: json, at: path)
        guard let access = Access(rawValue: json["access"]?.stringValue ?? Access.readWrite.rawValue) else {
            throw CommandError(.badRequest, "\(path).access must be rw, ro or wo.")
        }
        self.init(
            name,
            title: json["title"]?.stringValue ?? name,
            role: json["role"]?.stringValue.map(Role.init(rawValue:)),
            schema: schema,
            access: access,
            isExpertOnly: json["expert"]?.boolValue ?? false
        )
    }
}

/// Refuses names that could not stand in a topic or would clash with a command's own keys.
func checkMemberName(_ name: String, at path: String) throws(CommandError) {
    let isPlain = name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
        default: false
        }
    }
    guard isPlain, !name.isEmpty, name.utf8.count <= 64, name.utf8.first != UInt8(ascii: "_"),
        !CommandOption.names.contains(name)
    else {
        throw CommandError(
            .badRequest,
            "\(path): a name has 1 to 64 characters of a-z, 0-9 and _, and is not a command's own key."
        )
    }
}
