public import HomeModel
public import JSON

/// `device/write`: changes properties of a device, as one unit.
public struct WriteCall: Sendable, Equatable {
    /// Which device.
    public var device: VendorID
    /// New values by property.
    public var values: JSONObject
    /// How long it may take until the device acknowledges.
    public var deadline: Duration

    /// Describes a write.
    public init(device: VendorID, values: JSONObject, deadline: Duration) {
        self.device = device
        self.values = values
        self.deadline = deadline
    }

    /// The request `{"device","values","deadlineMs"}` as a line, made without a value in between.
    public func line(id: WireID) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginMessage(id: id, method: .write)
        writer.key("device")
        writer.string(device.text)
        writer.key("values")
        writer.object(values)
        writer.key("deadlineMs")
        writer.integer(deadline.wireMilliseconds)
        writer.endObject()
        return writer.endMessage()
    }

    /// Reads the parameters that ``line(id:)`` writes.
    public init(params members: JSONObject) throws(WireFailure) {
        let params = Params(members, of: .write)
        device = try params.device()
        values = try params.object("values")
        deadline = try params.milliseconds("deadlineMs")
    }
}
