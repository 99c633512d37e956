public import HomeModel
public import JSON

/// `device/state`: what a device said of its state; partial, the latest wins.
public struct StateNote: Sendable, Equatable {
    /// Which device.
    public var device: VendorID
    /// Counts the state and event messages of this run of the plugin, from 1.
    public var sequence: Int64
    /// When the device said so.
    public var at: Timestamp
    /// Values by property; only those that the device spoke of.
    public var state: JSONObject

    /// States what a device said.
    public init(device: VendorID, sequence: Int64, at: Timestamp, state: JSONObject) {
        self.device = device
        self.sequence = sequence
        self.at = at
        self.state = state
    }

    /// The notification `{"device","seq","at","state"}` as a line, made without a value in between.
    public var line: [UInt8] {
        var writer = JSONWriter()
        writer.beginMessage(method: .deviceState)
        writer.key("device")
        writer.string(device.text)
        writer.key("seq")
        writer.integer(sequence)
        writer.key("at")
        writer.integer(at.milliseconds)
        writer.key("state")
        writer.object(state)
        writer.endObject()
        return writer.endMessage()
    }

    /// Reads the parameters that ``line`` writes; `seq` may be absent and is 0 then.
    public init(params members: JSONObject) throws(WireFailure) {
        let params = Params(members, of: .deviceState)
        device = try params.device()
        sequence = Int64(members["seq"]?.intValue ?? 0)
        at = try params.moment("at")
        state = try params.object("state")
    }
}
