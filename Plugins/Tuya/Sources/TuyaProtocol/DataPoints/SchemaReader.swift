internal import JSON

/// Reads a product's schema in each of the forms in which it is handed out.
///
/// - Device form: an array of `{"id":20,"mode":"rw","type":"obj","property":{"type":"bool"}}`, as devices get it.
/// - Cloud form: `{"category":…,"functions":[…],"status":[…]}` with `values` as JSON inside a string.
/// - Thing model: `{"services":[{"properties":[{"abilityId":20,…,"typeSpec":{…}}]}]}`, often inside a string.
/// - Mapping: `{"20":{"code":…,"type":…,"values":…}}`, as tinytuya writes it into `devices.json`.
///
/// Points that make no sense are left out. Source: protocol description, section 4.2.
struct SchemaReader {
    /// More points than any product has.
    private static let limit = 512

    private(set) var category: String?
    private var points: [DataPointSchema] = []

    /// `nil` if nothing in `json` looks like a schema.
    static func read(_ json: JSON) -> DeviceSchema? {
        var reader = SchemaReader()
        guard reader.readAny(json, depth: 0), !reader.points.isEmpty else { return nil }
        return DeviceSchema(category: reader.category, points: reader.points)
    }

    private mutating func readAny(_ json: JSON, depth: Int) -> Bool {
        guard depth < 4 else { return false }
        switch json {
        case .string(let text):
            guard let inner = try? JSON.parse(text) else { return false }
            return readAny(inner, depth: depth + 1)
        case .array(let list):
            readDeviceForm(list)
            return true
        case .object(let object):
            category = object["category"]?.stringValue ?? category
            for wrapper in ["result", "model", "schema"] {
                if let inner = object[wrapper], readAny(inner, depth: depth + 1) { return true }
            }
            if let services = object["services"]?.arrayValue {
                readThingModel(services)
            } else if object["functions"] != nil || object["status"] != nil {
                readCloudForm(functions: object["functions"]?.arrayValue, status: object["status"]?.arrayValue)
            } else {
                readMapping(object)
            }
            return true
        default: return false
        }
    }

    private mutating func add(
        id: Int?,
        code: String?,
        type: DataPointType?,
        transfer: DataPointSchema.Transfer?,
        trigger: String? = nil
    ) {
        guard let id, (1...65_535).contains(id), let type, points.count < Self.limit else { return }
        let point = DataPointSchema(
            id: id,
            code: code.flatMap { $0.isEmpty ? nil : $0 },
            type: type,
            transfer: transfer ?? .sendAndReport,
            trigger: trigger.flatMap(DataPointSchema.Trigger.init)
        )
        points.append(point)
    }

    private mutating func readDeviceForm(_ list: [JSON]) {
        for entry in list {
            let property = entry["property"]
            // Points of type raw have no property.
            let type = entry["type"]?.stringValue == "raw" ? "raw" : property?["type"]?.stringValue
            add(
                id: entry["id"]?.intValue,
                code: entry["code"]?.stringValue,
                type: Self.type(named: type, property),
                transfer: entry["mode"]?.stringValue.flatMap(DataPointSchema.Transfer.init),
                trigger: (entry["trigger"] ?? property?["trigger"])?.stringValue
            )
        }
    }

    private mutating func readCloudForm(functions: [JSON]?, status: [JSON]?) {
        let settable = Set((functions ?? []).compactMap { $0["dp_id"]?.intValue })
        let reported = Set((status ?? []).compactMap { $0["dp_id"]?.intValue })
        for entry in (functions ?? []) + (status ?? []) {
            guard let id = entry["dp_id"]?.intValue else { continue }
            let transfer: DataPointSchema.Transfer =
                switch (settable.contains(id), reported.contains(id)) {
                case (true, false): .sendOnly
                case (false, true): .reportOnly
                default: .sendAndReport
                }
            addCloudEntry(entry, id: id, transfer: transfer)
        }
    }

    private mutating func readMapping(_ object: JSONObject) {
        for (key, entry) in object {
            guard let id = DataPoints.id(of: key), entry.objectValue != nil else { continue }
            addCloudEntry(entry, id: id, transfer: .sendAndReport)
        }
    }

    private mutating func addCloudEntry(_ entry: JSON, id: Int, transfer: DataPointSchema.Transfer) {
        var values = entry["values"]
        if case .string(let text)? = values { values = try? JSON.parse(text) }
        add(
            id: id,
            code: entry["code"]?.stringValue,
            type: Self.type(named: entry["type"]?.stringValue, values),
            transfer: transfer
        )
    }

    private mutating func readThingModel(_ services: [JSON]) {
        for property in services.flatMap({ $0["properties"]?.arrayValue ?? [] }) {
            let specification = property["typeSpec"]
            add(
                id: property["abilityId"]?.intValue,
                code: property["code"]?.stringValue,
                type: Self.type(named: specification?["type"]?.stringValue, specification),
                transfer: property["accessMode"]?.stringValue.flatMap(DataPointSchema.Transfer.init)
            )
        }
    }

    private static func type(named name: String?, _ values: JSON?) -> DataPointType? {
        switch name?.lowercased() {
        case "bool", "boolean": .bool
        case "value", "integer": .value(range(values))
        case "enum": .enumeration(texts(values?["range"]))
        case "bitmap", "fault": .fault(labels: texts(values?["label"]))
        case "string", "json": .string(maximumLength: values?["maxlen"]?.intValue)
        case "raw": .raw(maximumLength: values?["maxlen"]?.intValue)
        default: nil
        }
    }

    private static func range(_ values: JSON?) -> ValueRange {
        ValueRange(
            minimum: values?["min"]?.intValue ?? 0,
            maximum: values?["max"]?.intValue ?? Int(Int32.max),
            scale: values?["scale"]?.intValue ?? 0,
            step: values?["step"]?.intValue ?? 1,
            unit: values?["unit"]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
        )
    }

    private static func texts(_ list: JSON?) -> [String] { list?.arrayValue?.compactMap(\.stringValue) ?? [] }
}
