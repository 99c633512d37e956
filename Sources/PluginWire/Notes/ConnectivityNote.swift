public import HomeModel
public import JSON

/// `device/connectivity`: a device came or went.
public struct ConnectivityNote: Sendable, Equatable {
    /// Which device.
    public var device: VendorID
    /// Whether it can be reached, and if not, why.
    public var connectivity: Connectivity

    /// States a device's connectivity.
    public init(device: VendorID, connectivity: Connectivity) {
        self.device = device
        self.connectivity = connectivity
    }

    /// `{"device","online","reason"?,"detail"?}`.
    public var params: JSONObject {
        var params: JSONObject = ["device": .string(device.text), "online": .bool(connectivity.isOnline)]
        if let reason = connectivity.reason { params["reason"] = .string(reason.rawValue) }
        if let detail = connectivity.detail { params["detail"] = .string(detail) }
        return params
    }

    /// Reads the form that ``params`` writes.
    public init(params members: JSONObject) throws(WireFailure) {
        let params = Params(members, of: .deviceConnectivity)
        device = try params.device()
        guard let isOnline = try params.optionalBool("online") else {
            throw params.invalid("\"online\" must be true or false.")
        }
        connectivity = Connectivity(
            isOnline: isOnline,
            reason: try params.optionalText("reason").map(Connectivity.Reason.init(rawValue:)),
            detail: try params.optionalText("detail")
        )
    }
}
