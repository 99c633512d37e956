public import JSON

/// `plugin/status`: how a plugin is.
public struct StatusNote: Sendable, Equatable {
    /// `ok`, `degraded` or `needs_user`.
    public var state: String
    /// One sentence for a person; empty where all is well.
    public var detail: String

    /// States how a plugin is.
    public init(state: String, detail: String = "") {
        self.state = state
        self.detail = detail
    }

    /// `{"state","detail"?}`.
    public var params: JSONObject {
        var params: JSONObject = ["state": .string(state)]
        if !detail.isEmpty { params["detail"] = .string(detail) }
        return params
    }

    /// Reads the form that ``params`` writes.
    public init(params members: JSONObject) throws(WireFailure) {
        let params = Params(members, of: .status)
        state = try params.text("state")
        detail = try params.optionalText("detail") ?? ""
    }
}
