public import JSON

/// `log`: a record for the gateway's log.
public struct LogNote: Sendable, Equatable {
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

    /// `{"level","message","metadata"?}`.
    public var params: JSONObject {
        var params: JSONObject = ["level": .string(level), "message": .string(message)]
        if !metadata.isEmpty {
            params["metadata"] = .object(
                JSONObject(metadata.sorted { $0.key < $1.key }.map { ($0.key, JSON.string($0.value)) })
            )
        }
        return params
    }

    /// Reads the form that ``params`` writes; facts that are no text are kept as their JSON.
    public init(params members: JSONObject) throws(WireFailure) {
        let params = Params(members, of: .log)
        level = try params.text("level")
        message = try params.text("message")
        metadata = [:]
        for (key, value) in try params.optionalObject("metadata") ?? JSONObject() {
            metadata[key] = value.stringValue ?? value.text
        }
    }
}
