import HomeModel
import JSON

extension PairingSession {
    /// The largest payload, in bytes: a client on a small device reads it.
    static let maxPayload = 16 << 10

    /// `running`, `needs_input` or how it ended.
    var state: String {
        if case .ended(let end) = phase { return end.state }
        return isAsking ? "needs_input" : "running"
    }

    /// The members that a session itself knows:
    /// `{"state","step","index","of","percent","steps":[{"id","state"}],"message","needs_input","error","data"?}`.
    ///
    /// Nothing in it is a secret that the session was given. `data` is left out where the whole would be too large.
    func adding(to header: JSONObject) -> JSONObject {
        var object = header
        object["state"] = .string(state)
        object["step"] = step.map { .string($0) } ?? .null
        object["index"] = stepIndex.map { .integer(Int64($0 + 1)) } ?? .null
        object["of"] = .integer(Int64(steps.count))
        object["percent"] = percent.map { .integer(Int64($0)) } ?? .null
        object["steps"] = .array(steps.indices.map { ["id": .string(steps[$0]), "state": .string(stepState($0))] })
        object["message"] = message.map { .string($0) } ?? .null
        object["needs_input"] = questionJSON
        object["error"] = isEnded ? end?.failure?.json ?? .null : .null
        if case .ended(.succeeded) = phase {
            object["devices"] = .array(devices.map { .string($0.text) })
            if let first = devices.first { object["device"] = .string(first.text) }
        }
        guard !data.isEmpty else { return object }
        let whole = object.adding("data", .object(data))
        return JSON.object(whole).serialized().count <= Self.maxPayload ? whole : object
    }

    /// The form, and who asks: `plugin` or `radio`.
    private var questionJSON: JSON {
        guard let question, case .object(let form) = secrets.redacted(question).json else { return .null }
        return .object(form.adding("asked_by", radioQuestion == nil ? "plugin" : "radio"))
    }

    private var stepIndex: Int? { step.flatMap { steps.firstIndex(of: $0) } }

    /// `done`, `running`, `failed`, `cancelled` or `todo`.
    private func stepState(_ index: Int) -> String {
        if case .ended(.succeeded) = phase { return "done" }
        guard let current = stepIndex else { return "todo" }
        if index != current { return index < current ? "done" : "todo" }
        guard isEnded else { return "running" }
        return end == .cancelled ? "cancelled" : "failed"
    }
}
