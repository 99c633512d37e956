public import JSON

/// `$/cancel`: the asker no longer wants the answer to a request.
public struct CancelNote: Sendable, Equatable {
    /// The request's id.
    public var id: WireID

    /// Names a request.
    public init(id: WireID) { self.id = id }

    /// The notification `{"id"}` as a line.
    public var line: [UInt8] {
        WireMessage.notification(method: WireMethod.cancel.rawValue, params: ["id": id.json]).line
    }

    /// Reads the parameters that ``line`` writes, nil where there is no id.
    public init?(params: JSONObject) {
        guard let id = params["id"].flatMap(WireID.init) else { return nil }
        self.init(id: id)
    }
}
