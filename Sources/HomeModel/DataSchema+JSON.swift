public import JSON

extension DataSchema {
    /// The JSON Schema form: `{"type","minimum","maximum","multipleOf","unit","enum","maxLength","properties","required","items"}`.
    public var json: JSONObject {
        var object = JSONObject()
        if let type { object["type"] = .string(type.rawValue) }
        if let minimum { object["minimum"] = .number(minimum) }
        if let maximum { object["maximum"] = .number(maximum) }
        if let step { object["multipleOf"] = .number(step) }
        if let unit { object["unit"] = .string(unit) }
        if let choices { object["enum"] = .array(choices.map { .string($0) }) }
        if let maxLength { object["maxLength"] = .integer(Int64(maxLength)) }
        if !members.isEmpty {
            var properties = JSONObject()
            for member in members { properties[member.name] = .object(member.schema.json) }
            object["properties"] = .object(properties)
            object["required"] = .array(members.filter(\.isRequired).map { .string($0.name) })
        }
        if let item = items.first { object["items"] = .object(item.json) }
        return object
    }

    /// Reads the form that ``json`` writes; keys it does not know are ignored.
    ///
    /// - Throws: `bad_request`, naming the key.
    public init(json: JSON, at path: String = "schema") throws(CommandError) {
        guard let object = json.objectValue else { throw CommandError(.badRequest, "\(path) must be an object.") }
        self.init()
        if let text = object["type"] {
            guard let name = text.stringValue, let type = ValueType(rawValue: name) else {
                let known = ValueType.allCases.map(\.rawValue).joined(separator: ", ")
                throw CommandError(.badRequest, "\(path).type must be one of \(known).")
            }
            self.type = type
        }
        minimum = object["minimum"]?.doubleValue
        maximum = object["maximum"]?.doubleValue
        step = object["multipleOf"]?.doubleValue
        unit = object["unit"]?.stringValue
        choices = object["enum"]?.arrayValue?.compactMap(\.stringValue)
        maxLength = object["maxLength"]?.intValue
        let required = object["required"]?.arrayValue?.compactMap(\.stringValue) ?? []
        for (name, schema) in object["properties"]?.objectValue ?? JSONObject() {
            let schema = try DataSchema(json: schema, at: "\(path).properties.\(name)")
            members.append(Member(name, schema, isRequired: required.contains(name)))
        }
        if let item = object["items"] { items = [try DataSchema(json: item, at: "\(path).items")] }
    }
}

extension JSON {
    /// A number that is written without a fraction where it has none.
    package static func number(_ value: Double) -> JSON {
        Int64(exactly: value).map { .integer($0) } ?? .double(value)
    }
}
