public import HomeModel
public import JSON

/// `device/remove`: forgets a device.
public struct RemoveCall: Sendable, Equatable {
    /// Which device.
    public var device: VendorID
    /// Whether the device is to forget us, too.
    public var unpair: Bool

    /// Describes a removal.
    public init(device: VendorID, unpair: Bool) {
        self.device = device
        self.unpair = unpair
    }

    /// `{"device","unpair"}`.
    public var params: JSONObject { ["device": .string(device.text), "unpair": .bool(unpair)] }

    /// Reads the form that ``params`` writes.
    public init(params members: JSONObject) throws(WireFailure) {
        let params = Params(members, of: .remove)
        device = try params.device()
        unpair = try params.optionalBool("unpair") ?? false
    }
}
