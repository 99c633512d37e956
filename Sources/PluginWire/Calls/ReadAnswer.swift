public import HomeModel
public import JSON

/// The result of `device/read`.
public struct ReadAnswer: Sendable, Equatable {
    /// Values by property.
    public var state: JSONObject
    /// When the device said so.
    public var at: Timestamp

    /// States what a device said.
    public init(state: JSONObject, at: Timestamp) {
        self.state = state
        self.at = at
    }

    /// `{"state","at"}`.
    public var json: JSON { ["state": .object(state), "at": .integer(at.milliseconds)] }

    /// Reads the form that ``json`` writes.
    public init(json: JSON) throws(WireFault) {
        guard let state = json["state"]?.objectValue, let at = json["at"]?.intValue else {
            throw .badResult("device/read: needs an object \"state\" and an integer \"at\"")
        }
        self.init(state: state, at: Timestamp(milliseconds: Int64(at)))
    }
}
