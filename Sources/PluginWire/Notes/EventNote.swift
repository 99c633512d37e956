public import HomeModel
public import JSON

/// `device/event`: something that happened at a device.
public struct EventNote: Sendable, Equatable {
    /// Which device.
    public var device: VendorID
    /// Counts the state and event messages of this run of the plugin, from 1; a gap shows what was dropped.
    public var sequence: Int64
    /// When it happened.
    public var at: Timestamp
    /// Which event of the device's description.
    public var event: String
    /// The event's data; `null` where it has none.
    public var data: JSON

    /// Describes an event.
    public init(device: VendorID, sequence: Int64, at: Timestamp, event: String, data: JSON) {
        self.device = device
        self.sequence = sequence
        self.at = at
        self.event = event
        self.data = data
    }

    /// `{"device","seq","at","event","data"}`.
    public var params: JSONObject {
        [
            "device": .string(device.text), "seq": .integer(sequence), "at": .integer(at.milliseconds),
            "event": .string(event), "data": data,
        ]
    }

    /// Reads the form that ``params`` writes; `seq` and `data` may be absent.
    public init(params members: JSONObject) throws(WireFailure) {
        let params = Params(members, of: .deviceEvent)
        device = try params.device()
        sequence = Int64(members["seq"]?.intValue ?? 0)
        at = try params.moment("at")
        event = try params.text("event")
        data = members["data"] ?? .null
    }
}
