public import HomeModel
public import JSON

/// `device/invoke`: has a device do something; the result is the action's output.
public struct InvokeCall: Sendable, Equatable {
    /// Which device.
    public var device: VendorID
    /// Which action of its description.
    public var action: String
    /// The action's input; `null` where it has none.
    public var input: JSON
    /// How long it may take.
    public var deadline: Duration

    /// Describes an invocation.
    public init(device: VendorID, action: String, input: JSON, deadline: Duration) {
        self.device = device
        self.action = action
        self.input = input
        self.deadline = deadline
    }

    /// `{"device","action","input","deadlineMs"}`.
    public var params: JSONObject {
        [
            "device": .string(device.text), "action": .string(action), "input": input,
            "deadlineMs": JSON(deadline.wireMilliseconds),
        ]
    }

    /// Reads the form that ``params`` writes.
    public init(params members: JSONObject) throws(WireFailure) {
        let params = Params(members, of: .invoke)
        device = try params.device()
        action = try params.text("action")
        input = members["input"] ?? .null
        deadline = try params.milliseconds("deadlineMs")
    }
}
