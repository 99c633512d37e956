public import HomeModel
public import JSON

/// `device/read`: asks a device for its state now.
public struct ReadCall: Sendable, Equatable {
    /// Which device.
    public var device: VendorID
    /// Which properties; nil for all.
    public var properties: [String]?
    /// How long the answer may take.
    public var deadline: Duration

    /// Describes a read.
    public init(device: VendorID, properties: [String]? = nil, deadline: Duration) {
        self.device = device
        self.properties = properties
        self.deadline = deadline
    }

    /// `{"device","properties"?,"deadlineMs"}`.
    public var params: JSONObject {
        var params: JSONObject = ["device": .string(device.text)]
        if let properties { params["properties"] = .array(properties.map(JSON.string)) }
        params["deadlineMs"] = JSON(deadline.wireMilliseconds)
        return params
    }

    /// Reads the form that ``params`` writes.
    public init(params members: JSONObject) throws(WireFailure) {
        let params = Params(members, of: .read)
        device = try params.device()
        properties = try params.texts("properties")
        deadline = try params.milliseconds("deadlineMs")
    }
}
