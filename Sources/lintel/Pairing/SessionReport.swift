import HomeModel
import JSON

/// What the gateway says of a pairing session, on the session's topic.
struct SessionReport: Equatable, Sendable {
    /// How a session is.
    enum State: String, Sendable {
        case running
        case needsInput = "needs_input"
        case succeeded, failed, cancelled, expired

        var isFinal: Bool { self != .running && self != .needsInput }
    }

    /// How far a step is.
    enum Mark: String, Sendable {
        case todo, running, done, failed, cancelled
    }

    /// A step with its mark.
    struct Step: Equatable, Sendable {
        var id: String
        var mark: Mark
    }

    var session: String
    var plugin: String?
    var method: String?
    var state: State
    var step: String?
    var steps: [Step]
    var percent: Int?
    var message: String?
    var deadline: Timestamp?
    var question: InputForm?
    /// Whether the question is about the gateway's own radio, which may come after a session's end is decided.
    var isAboutRadio: Bool
    var failure: PairingFailure?
    /// Ids of the devices that came in.
    var devices: [String]
    /// The whole message.
    var json: JSON

    /// Reads a message of `bridge/pairing/<session>`; nil for what is none.
    ///
    /// A state that this version does not know is shown as running.
    init?(_ json: JSON) {
        guard let session = json["session"]?.stringValue, let state = json["state"]?.stringValue else { return nil }
        self.session = session
        self.json = json
        plugin = json["plugin"]?.stringValue
        method = json["method"]?.stringValue
        question = json["needs_input"].flatMap(InputForm.init(json:))
        isAboutRadio = json["needs_input"]?["asked_by"] == "radio"
        // A session that asks is waiting, whatever word it has for that.
        self.state = State(rawValue: state) ?? .running
        if question != nil, !self.state.isFinal { self.state = .needsInput }
        step = json["step"]?.stringValue
        steps = (json["steps"]?.arrayValue ?? []).compactMap { step in
            guard let id = step["id"]?.stringValue ?? step.stringValue else { return nil }
            return Step(id: id, mark: step["state"]?.stringValue.flatMap(Mark.init(rawValue:)) ?? .todo)
        }
        percent = json["percent"]?.intValue.map { min(100, max(0, $0)) }
        message = json["message"]?.stringValue
        deadline = json["deadline"]?.stringValue.flatMap(Timestamp.init(iso8601:))
        failure = json["error"].flatMap(PairingFailure.init(json:))
        devices = (json["devices"]?.arrayValue ?? []).compactMap { $0.stringValue ?? $0["id"]?.stringValue }
        if devices.isEmpty, let device = json["device"] {
            devices = [device.stringValue ?? device["id"]?.stringValue].compactMap { $0 }
        }
    }
}
