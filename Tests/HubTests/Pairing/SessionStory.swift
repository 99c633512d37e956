import HomeModel
import JSON
import Testing
@testable import Hub

/// A session that has come to some point, for tests of what happens next.
enum SessionStory: String, CaseIterable, Sendable {
    case fresh, running, asking, radioAsking, bothAsking, answered, closing, closingAsking, succeeded, failed,
        cancelled, expired

    static let form = InputForm(
        title: "Password?",
        fields: [InputField("password", title: "Password", kind: .password)]
    )
    static let radioForm = InputForm(title: "Join it", fields: [InputField("done", title: "Done", kind: .flag)])
    static let times = PairingTimes()

    /// The time at which the story stands.
    static let now = Duration.seconds(10)

    var session: PairingSession {
        get throws {
            var session = PairingSession(times: Self.times)
            if self == .fresh { return session }
            tell(
                &session,
                [.started, .progress(try progress(.running, step: "find", steps: ["find", "send", "join"]))]
            )
            switch self {
            case .fresh, .running: break
            case .asking: tell(&session, [.progress(try progress(.needsInput, step: "send", form: Self.form))])
            case .radioAsking: tell(&session, [.radioAsks(Self.radioForm)])
            case .bothAsking:
                tell(&session, [.progress(try progress(.needsInput, step: "send", form: Self.form))])
                tell(&session, [.radioAsks(Self.radioForm)])
            case .answered:
                tell(&session, [.progress(try progress(.needsInput, step: "send", form: Self.form))])
                tell(&session, [.answer(["password": "hunter22"])])
            case .closing: tell(&session, [.cancel])
            case .closingAsking: tell(&session, [.cancel, .radioAsks(Self.radioForm)])
            case .succeeded: tell(&session, [.progress(try progress(.succeeded, step: "join")), .closed])
            case .failed: tell(&session, [.pluginDown, .closed])
            case .cancelled: tell(&session, [.cancel, .closed])
            case .expired:
                _ = session.take(.tick, at: Self.now + Self.times.silence)
                tell(&session, [.closed])
            }
            return session
        }
    }

    private func tell(_ session: inout PairingSession, _ inputs: [PairingInput]) {
        for input in inputs { _ = session.take(input, at: Self.now) }
    }
}

func progress(
    _ state: PairingProgress.State,
    step: String,
    steps: [String] = [],
    message: String? = nil,
    form: InputForm? = nil,
    failure: PairingFailure? = nil,
    devices: [VendorID] = [],
    data: JSONObject = [:]
) throws -> PairingProgress {
    PairingProgress(
        session: try #require(PairingID("p-1")),
        state: state,
        step: step,
        steps: steps,
        message: message,
        needsInput: form,
        failure: failure,
        devices: devices,
        data: data
    )
}
