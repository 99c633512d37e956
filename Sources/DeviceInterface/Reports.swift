public import HomeModel
public import JSON

/// What a device said of its state.
public struct StateReport: Sendable, Equatable {
    /// Which device.
    public var device: VendorID
    /// Values by property; only those that the device spoke of.
    public var state: JSONObject
    /// When it said so.
    public var at: Timestamp

    /// Makes a report.
    public init(device: VendorID, state: JSONObject, at: Timestamp) {
        self.device = device
        self.state = state
        self.at = at
    }
}

/// Something that happened at a device.
public struct EventReport: Sendable, Equatable {
    /// Which device.
    public var device: VendorID
    /// Which event of its description.
    public var event: String
    /// The event's data; `null` where it has none.
    public var data: JSON
    /// When it happened.
    public var at: Timestamp

    /// Makes a report.
    public init(device: VendorID, event: String, data: JSON, at: Timestamp) {
        self.device = device
        self.event = event
        self.data = data
        self.at = at
    }
}

/// How an adapter is.
public struct AdapterStatus: Sendable, Equatable {
    /// The states of an adapter.
    public enum State: String, Sendable {
        /// All is well.
        case ok
        /// Some of it does not work; it tries on.
        case degraded
        /// A person must do something, such as correct a password.
        case needsUser = "needs_user"
    }

    /// The state.
    public var state: State
    /// One sentence for a person; empty where all is well.
    public var detail: String

    /// States how an adapter is.
    public init(_ state: State, detail: String = "") {
        self.state = state
        self.detail = detail
    }
}

/// A record for the gateway's log.
public struct AdapterLogRecord: Sendable, Equatable {
    /// `error`, `warning`, `notice`, `info`, `debug` or `trace`.
    public var level: String
    /// A constant sentence.
    public var message: String
    /// The facts.
    public var metadata: [String: String]

    /// Makes a record.
    public init(level: String, message: String, metadata: [String: String] = [:]) {
        self.level = level
        self.message = message
        self.metadata = metadata
    }
}
