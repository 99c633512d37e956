public import JSON

/// What a pairing session asks a person for.
public struct InputForm: Equatable, Sendable {
    /// The question, a few words.
    public var title: String
    /// Why it is asked and where the answer is found, one or two sentences.
    public var why: String?
    /// The fields, in the order to ask in; none for a plain "continue".
    public var fields: [InputField]
    /// What went wrong with the answer before.
    public var error: PairingFailure?

    /// Describes a question.
    public init(title: String, why: String? = nil, fields: [InputField] = [], error: PairingFailure? = nil) {
        self.title = title
        self.why = why
        self.fields = fields
        self.error = error
    }
}

extension InputForm {
    /// `{"title","why"?,"field"?,"format"?,"error"?,"schema"}`: the schema is a JSON Schema of the answer; `field` and
    /// `format` repeat the only field and its pattern, where there is one.
    public var json: JSON {
        var object: JSONObject = ["title": .string(title)]
        if let why { object["why"] = .string(why) }
        if fields.count == 1, let field = fields.first {
            object["field"] = .string(field.name)
            if let pattern = field.pattern { object["format"] = .string(pattern) }
        }
        if let error { object["error"] = error.json }
        var properties = JSONObject()
        for field in fields { properties[field.name] = field.schema }
        var schema: JSONObject = ["type": "object", "properties": .object(properties)]
        let required = fields.filter(\.isRequired).map { JSON.string($0.name) }
        if !required.isEmpty { schema["required"] = .array(required) }
        object["schema"] = .object(schema)
        return .object(object)
    }

    /// Reads the form that ``json`` writes; nil where it is none.
    public init?(json: JSON) {
        guard let title = json["title"]?.stringValue else { return nil }
        let schema = json["schema"]
        let required = Set((schema?["required"]?.arrayValue ?? []).compactMap(\.stringValue))
        var fields: [InputField] = []
        for (name, member) in schema?["properties"]?.objectValue ?? [:] {
            guard let field = InputField(name: name, schema: member, isRequired: required.contains(name)) else {
                return nil
            }
            fields.append(field)
        }
        self.init(
            title: title,
            why: json["why"]?.stringValue,
            fields: fields,
            error: json["error"].flatMap(PairingFailure.init(json:))
        )
    }

    /// Checks an answer against the fields.
    ///
    /// - Returns: the answer with only known members, defaults filled in.
    /// - Throws: `bad_request` or `value_out_of_range` that names the field and never its value.
    public func checked(_ answer: JSONObject) throws(CommandError) -> JSONObject {
        var checked = JSONObject()
        for (name, _) in answer where !fields.contains(where: { $0.name == name }) {
            let known = fields.map(\.name).joined(separator: ", ")
            throw CommandError(.badRequest, "The form has no field \"\(name.prefix(64))\".", hint: "Fields: \(known).")
        }
        for field in fields {
            if let value = try field.checked(answer[field.name]) { checked[field.name] = value }
        }
        return checked
    }
}
