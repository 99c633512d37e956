public import JSON

extension DeviceDescription {
    /// The form on the plugin wire and in the registry.
    ///
    /// `{"vendorId","name","kind","manufacturer"?,"model"?,"modelId"?,"firmware"?,"mac"?,"via"?,"battery"?,"properties":{…},"actions":{…},"events":{…}}`.
    public var json: JSON {
        var object: JSONObject = ["vendorId": .string(vendorID.text)]
        object["name"] = .string(name)
        object["kind"] = .string(kind.rawValue)
        if let manufacturer { object["manufacturer"] = .string(manufacturer) }
        if let model { object["model"] = .string(model) }
        if let modelID { object["modelId"] = .string(modelID) }
        if let firmware { object["firmware"] = .string(firmware) }
        if let mac { object["mac"] = .string(mac) }
        if let via { object["via"] = .string(via.text) }
        if isBatteryPowered { object["battery"] = true }
        return .object(addingMembers(to: object))
    }

    /// `object` with `properties`, `actions` and `events`, each an object by name.
    public func addingMembers(to object: JSONObject) -> JSONObject {
        var object = object
        object["properties"] = .object(byName(properties.map { ($0.name, $0.json) }))
        object["actions"] = .object(byName(actions.map { ($0.name, $0.json) }))
        object["events"] = .object(byName(events.map { ($0.name, $0.json) }))
        return object
    }

    /// Reads the form that ``json`` writes; keys it does not know are ignored.
    ///
    /// - Throws: `bad_request`, naming the key.
    public init(json: JSON) throws(CommandError) {
        guard let vendorID = json["vendorId"]?.stringValue, !vendorID.isEmpty, vendorID.utf8.count <= 256 else {
            throw CommandError(.badRequest, "A description needs a vendorId of 1 to 256 bytes.")
        }
        self.init(vendorID: VendorID(vendorID), name: DeviceName.cleaned(json["name"]?.stringValue ?? "") ?? vendorID)
        kind = json["kind"]?.stringValue.flatMap(Kind.init(rawValue:)) ?? .other
        manufacturer = json["manufacturer"]?.stringValue
        model = json["model"]?.stringValue
        modelID = json["modelId"]?.stringValue
        firmware = json["firmware"]?.stringValue
        mac = json["mac"]?.stringValue
        via = json["via"]?.stringValue.map { VendorID($0) }
        isBatteryPowered = json["battery"]?.boolValue ?? false
        for (name, value) in json["properties"]?.objectValue ?? JSONObject() {
            properties.append(try PropertyDescription(name, json: value))
        }
        for (name, value) in json["actions"]?.objectValue ?? JSONObject() {
            actions.append(try ActionDescription(name, json: value))
        }
        for (name, value) in json["events"]?.objectValue ?? JSONObject() {
            events.append(try EventDescription(name, json: value))
        }
    }
}

private func byName(_ pairs: [(String, JSON)]) -> JSONObject {
    var object = JSONObject()
    for (name, value) in pairs { object[name] = value }
    return object
}
