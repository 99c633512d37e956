package import JSON

extension DeviceSchema {
    /// Reads any of the forms in which schemas are handed out; see the protocol description, section 4.2.
    ///
    /// - Returns: `nil` if nothing in `json` looks like a schema.
    package init?(json: JSON) {
        guard let schema = SchemaReader.read(json) else { return nil }
        self = schema
    }

    /// The schema for keeping: the device form with codes, units and labels; ``init(json:)`` reads it back.
    package var json: JSON {
        var object: JSONObject = [:]
        if let category { object["category"] = .string(category) }
        object["schema"] = .array(points.map(\.json))
        return .object(object)
    }
}

extension DataPointSchema {
    fileprivate var json: JSON {
        var object: JSONObject = ["id": JSON(id), "mode": .string(transfer.rawValue)]
        if let code { object["code"] = .string(code) }
        if let trigger { object["trigger"] = .string(trigger.rawValue) }
        var isRaw = false
        if case .raw = type { isRaw = true }
        object["type"] = isRaw ? "raw" : "obj"
        object["property"] = .object(property)
        return .object(object)
    }

    private var property: JSONObject {
        var object: JSONObject = ["type": .string(type.name)]
        switch type {
        case .bool: break
        case .value(let range):
            object["min"] = JSON(range.minimum)
            object["max"] = JSON(range.maximum)
            object["scale"] = JSON(range.scale)
            object["step"] = JSON(range.step)
            object["unit"] = range.unit.map { .string($0) }
        case .enumeration(let choices): object["range"] = .array(choices.map { .string($0) })
        case .fault(let labels): object["label"] = .array(labels.map { .string($0) })
        case .string(let limit), .raw(let limit): object["maxlen"] = limit.map { JSON($0) }
        }
        return object
    }
}
