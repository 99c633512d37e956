package import JSON

extension Product {
    /// `{"category","functions":[…],"status":[…]}`, with `values` as JSON inside a string.
    ///
    /// - Source: protocol description, section 4.2, cloud form.
    package var cloudSpecification: JSON {
        [
            "category": .string(category),
            "functions": .array(points.filter { $0.transfer != .reportOnly }.map(\.cloudForm)),
            "status": .array(points.filter { $0.transfer != .sendOnly }.map(\.cloudForm)),
        ]
    }

    /// The thing model, which travels as text.
    ///
    /// - Source: protocol description, section 4.2, thing model.
    package var thingModel: JSON {
        [
            "modelId": .string("model-" + productKey),
            "services": [["code": "", "name": "", "properties": .array(points.map(\.thingForm))]],
        ]
    }
}

extension DataPoint {
    fileprivate var cloudForm: JSON {
        let (type, values): (String, JSONObject) =
            switch kind {
            case .bool: ("Boolean", [:])
            case .value(let minimum, let maximum): ("Integer", Self.range(minimum, maximum))
            case .enumeration(let words): ("Enum", ["range": .array(words.map { .string($0) })])
            case .string(let limit): ("String", ["maxlen": JSON(limit)])
            case .raw(let limit): ("Raw", ["maxlen": JSON(limit)])
            case .fault(let labels): ("Bitmap", ["label": .array(labels.map { .string($0) })])
            }
        return [
            "code": .string(code), "type": .string(type), "values": .string(JSON.object(values).text),
            "dp_id": JSON(id),
        ]
    }

    fileprivate var thingForm: JSON {
        var specification: JSONObject =
            switch kind {
            case .bool: ["type": "bool"]
            case .value(let minimum, let maximum): Self.range(minimum, maximum)
            case .enumeration(let words): ["type": "enum", "range": .array(words.map { .string($0) })]
            case .string(let limit): ["type": "string", "maxlen": JSON(limit)]
            case .raw(let limit): ["type": "raw", "maxlen": JSON(limit)]
            case .fault(let labels): ["type": "bitmap", "label": .array(labels.map { .string($0) })]
            }
        if specification["type"] == nil { specification["type"] = "value" }
        let mode =
            switch transfer {
            case .sendAndReport: "rw"
            case .reportOnly: "ro"
            case .sendOnly: "wr"
            }
        return [
            "abilityId": JSON(id), "code": .string(code), "accessMode": .string(mode), "name": .string(code),
            "typeSpec": .object(specification),
        ]
    }

    private static func range(_ minimum: Int, _ maximum: Int) -> JSONObject {
        ["min": JSON(minimum), "max": JSON(maximum), "scale": 0, "step": 1, "unit": ""]
    }
}
