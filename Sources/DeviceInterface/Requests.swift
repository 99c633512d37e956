public import HomeModel
public import JSON

/// Asks a device for its state.
public struct ReadRequest: Sendable {
    /// Which device.
    public var device: VendorID
    /// Which properties; nil for all.
    public var properties: [String]?
    /// How long the answer may take.
    public var deadline: Duration

    /// Makes a request.
    public init(device: VendorID, properties: [String]? = nil, deadline: Duration) {
        self.device = device
        self.properties = properties
        self.deadline = deadline
    }
}

/// A device's answer to a ``ReadRequest``.
public struct ReadResult: Sendable, Equatable {
    /// Values by property.
    public var state: JSONObject
    /// When the device said so.
    public var at: Timestamp

    /// Makes an answer.
    public init(state: JSONObject, at: Timestamp) {
        self.state = state
        self.at = at
    }
}

/// Changes properties of a device, as one unit.
public struct WriteRequest: Sendable {
    /// Which device.
    public var device: VendorID
    /// New values by property, already checked against the description.
    public var values: JSONObject
    /// How long it may take until the device acknowledges.
    public var deadline: Duration

    /// Makes a request.
    public init(device: VendorID, values: JSONObject, deadline: Duration) {
        self.device = device
        self.values = values
        self.deadline = deadline
    }
}

/// How far a write got by itself.
public struct WriteReceipt: Sendable, Equatable {
    /// `sent`, `acknowledged` or, where the adapter saw the device report the values, `confirmed`.
    public var stage: CommandStage

    /// Makes a receipt.
    public init(stage: CommandStage) { self.stage = stage }
}

/// Asks a device to do something.
public struct InvokeRequest: Sendable {
    /// Which device.
    public var device: VendorID
    /// Which action of its description.
    public var action: String
    /// The action's input, already checked; `null` where it has none.
    public var input: JSON
    /// How long it may take.
    public var deadline: Duration

    /// Makes a request.
    public init(device: VendorID, action: String, input: JSON, deadline: Duration) {
        self.device = device
        self.action = action
        self.input = input
        self.deadline = deadline
    }
}
