public import JSON

/// A way in which a plugin brings devices in.
public struct PairingMethod: Equatable, Sendable {
    /// Its name in requests, such as `ap`.
    public var id: String
    /// What a person reads.
    public var title: String
    /// When to use it, one or two sentences.
    public var description: String?
    /// What it cannot do without: `wifi` (a radio that may leave its network), `cloud`.
    public var needs: [String]
    /// What may be given at the start; nil where the plugin does not say.
    public var form: InputForm?

    /// Describes a method.
    public init(
        _ id: String,
        title: String? = nil,
        description: String? = nil,
        needs: [String] = [],
        form: InputForm? = nil
    ) {
        self.id = id
        self.title = title ?? id
        self.description = description
        self.needs = needs
        self.form = form
    }
}

extension PairingMethod {
    /// `{"id","title","description"?,"needs","form"?}`.
    public var json: JSON {
        var object: JSONObject = ["id": .string(id), "title": .string(title)]
        if let description { object["description"] = .string(description) }
        object["needs"] = .array(needs.map { .string($0) })
        if let form { object["form"] = form.json }
        return .object(object)
    }

    /// Reads what ``json`` writes, or an id alone; nil without an id, and for a form that is none.
    public init?(json: JSON) {
        if let id = json.stringValue {
            guard !id.isEmpty else { return nil }
            self.init(id)
            return
        }
        guard let id = json["id"]?.stringValue, !id.isEmpty else { return nil }
        var form: InputForm?
        if let member = json["form"], !member.isNull {
            guard let read = InputForm(json: member) else { return nil }
            form = read
        }
        self.init(
            id,
            title: json["title"]?.stringValue,
            description: json["description"]?.stringValue,
            needs: (json["needs"]?.arrayValue ?? []).compactMap(\.stringValue),
            form: form
        )
    }
}
