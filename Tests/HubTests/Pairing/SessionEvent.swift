import HomeModel
import JSON
@testable import Hub

/// Something that happens to a session, for tests of every state with every input.
enum SessionEvent: String, CaseIterable, Sendable {
    case started, refused, works, asks, succeeds, fails, gaveUp, answer, wrongAnswer, radioAnswer, answerRefused,
        radioAsks,
        radioSettled, cancel, stop, pluginDown, tick, overdue, registered, lost, closed

    /// Far enough for every limit to have passed.
    static let late = Duration.seconds(100_000)

    var time: Duration { self == .overdue ? Self.late : SessionStory.now }

    func input() throws -> PairingInput {
        switch self {
        case .started: .started
        case .refused: .refused(CommandError(.deviceBusy, "No."))
        case .works: .progress(try progress(.running, step: "send"))
        case .asks: .progress(try progress(.needsInput, step: "send", form: SessionStory.form))
        case .succeeds: .progress(try progress(.succeeded, step: "join", devices: [VendorID("lamp")]))
        case .fails:
            .progress(try progress(.failed, step: "send", failure: PairingFailure(.wrongPassword, "Wrong.")))
        case .gaveUp: .progress(try progress(.cancelled, step: "send"))
        case .answer: .answer(["password": "hunter22"])
        case .wrongAnswer: .answer(["pass": "x"])
        case .radioAnswer: .answer(["done": true])
        case .answerRefused: .answerRefused(CommandError(.badRequest, "No."))
        case .radioAsks: .radioAsks(SessionStory.radioForm)
        case .radioSettled: .radioSettled
        case .cancel: .cancel
        case .stop: .stop
        case .pluginDown: .pluginDown
        case .tick, .overdue: .tick
        case .registered: .registered([], nil)
        case .lost: .registered([], PairingFailure(PairingCode(.internal), "It was never described."))
        case .closed: .closed
        }
    }
}

extension PairingSession {
    /// Where it stands, in a word or two.
    var place: String {
        switch phase {
        case .open: isAsking ? (radioQuestion == nil ? "asking" : "radio") : "running"
        case .closing(let end): "closing-\(end.state)" + (isAsking ? "-asking" : "")
        case .ended(let end): end.state
        }
    }
}

extension PairingOutput {
    var word: String {
        switch self {
        case .publish: "publish"
        case .answerPlugin: "plugin"
        case .answerRadio: "radio"
        case .close(let tells): tells ? "close+tell" : "close"
        case .abandonRadio: "abandon"
        case .finish: "finish"
        case .refuse(let error): "refuse:\(error.code.rawValue)"
        }
    }
}
