public import HomeModel
public import JSON

/// `configure`: a changed section of the configuration, or changed options of a device; what is nil stays.
public struct ConfigureCall: Sendable, Equatable {
    /// The plugin's whole new section, secrets included.
    public var config: JSON?
    /// The device whose options changed.
    public var device: VendorID?
    /// All options of ``device``.
    public var options: JSONObject?

    /// Describes a change.
    public init(config: JSON? = nil, device: VendorID? = nil, options: JSONObject? = nil) {
        self.config = config
        self.device = device
        self.options = options
    }

    /// `{"config"?,"device"?,"options"?}`.
    public var params: JSONObject {
        var params = JSONObject()
        if let config { params["config"] = config }
        if let device { params["device"] = .string(device.text) }
        if let options { params["options"] = .object(options) }
        return params
    }

    /// Reads the form that ``params`` writes.
    public init(params members: JSONObject) throws(WireFailure) {
        let params = Params(members, of: .configure)
        config = members["config"]
        device = try params.optionalDevice()
        options = try params.optionalObject("options")
    }
}
