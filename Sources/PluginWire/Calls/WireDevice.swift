public import HomeModel
public import JSON

/// A device that the gateway remembers, as it is told to a plugin.
public struct WireDevice: Sendable {
    /// The gateway's id, for logs.
    public var id: DeviceID
    /// The plugin's own id.
    public var vendorID: VendorID
    /// What the operator set for it.
    public var options: JSONObject
    /// Secrets that the plugin stored for it.
    public var secrets: Secrets
    /// What the plugin last said of it.
    public var lastDescription: DeviceDescription?

    /// Collects what is known of a device.
    public init(
        id: DeviceID,
        vendorID: VendorID,
        options: JSONObject = JSONObject(),
        secrets: Secrets = Secrets(),
        lastDescription: DeviceDescription? = nil
    ) {
        self.id = id
        self.vendorID = vendorID
        self.options = options
        self.secrets = secrets
        self.lastDescription = lastDescription
    }
}

extension WireDevice {
    /// `{"id","vendorId","options"?,"secrets"?,"lastDescription"?}`; holds the secrets in clear.
    public var json: JSONObject {
        var object: JSONObject = ["id": .string(id.text), "vendorId": .string(vendorID.text)]
        if !options.isEmpty { object["options"] = .object(options) }
        if !secrets.isEmpty { object["secrets"] = .object(secrets.wire) }
        if let lastDescription { object["lastDescription"] = lastDescription.json }
        return object
    }

    /// Reads the form that ``json`` writes; a last description that cannot be read counts as absent.
    init(json: JSON, of method: WireMethod) throws(WireFailure) {
        guard let members = json.objectValue else {
            throw .invalid(method.rawValue, "\"devices\" must hold objects.")
        }
        let params = Params(members, of: method)
        guard let id = DeviceID(try params.text("id")) else {
            throw params.invalid("\"id\" must be a device id.")
        }
        self.init(
            id: id,
            vendorID: try params.device("vendorId"),
            options: try params.optionalObject("options") ?? JSONObject(),
            secrets: try params.secrets("secrets") ?? Secrets()
        )
        lastDescription = members["lastDescription"].flatMap { try? DeviceDescription(json: $0) }
    }

    /// Reads the member `devices`; absent is empty.
    static func list(_ members: JSONObject, of method: WireMethod) throws(WireFailure) -> [WireDevice] {
        guard let value = members["devices"], !value.isNull else { return [] }
        guard let list = value.arrayValue else { throw .invalid(method.rawValue, "\"devices\" must be a list.") }
        var devices: [WireDevice] = []
        devices.reserveCapacity(list.count)
        for json in list { devices.append(try WireDevice(json: json, of: method)) }
        return devices
    }
}
