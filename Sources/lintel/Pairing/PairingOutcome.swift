import HomeModel
import JSON

/// How a pairing ended for this program.
enum PairingOutcome: Equatable, Sendable {
    case succeeded
    /// The session ended without a device.
    case ended(SessionReport.State)
    /// Somebody pressed Ctrl-C, and the session ended cleanly after it.
    case interrupted
    /// This program left while the session had not ended.
    case left
    /// The gateway knows the session no longer.
    case forgotten
    /// An answer is missing, and there is nobody to ask.
    case unanswered
    /// The session did not take an answer, for this reason, and there is nobody to ask for another.
    case refused(PairingFailure)
    /// No session was started; why was printed.
    case notStarted(ExitCode)

    var exit: ExitCode {
        switch self {
        case .succeeded: .ok
        case .ended, .forgotten, .refused: .unpaired
        case .interrupted, .left: .interrupted
        case .unanswered: .usage
        case .notStarted(let exit): exit
        }
    }

    /// The word for it in the last line for programs.
    var word: String {
        switch self {
        case .succeeded: "succeeded"
        case .ended(let state): state.rawValue
        case .interrupted: "interrupted"
        case .left: "left"
        case .forgotten: "forgotten"
        case .unanswered: "unanswered"
        case .refused: "refused"
        case .notStarted: "not_started"
        }
    }
    /// The last line for programs: `result`, `exit`, and where there was a session `session`, `devices` and `error`.
    func summary(_ report: SessionReport?) -> JSON {
        var summary: JSONObject = ["result": .string(word), "exit": .integer(Int64(exit.rawValue))]
        if let report {
            summary["session"] = .string(report.session)
            summary["devices"] = .array(report.devices.map { .string($0) })
            if let failure = report.failure { summary["error"] = failure.json }
        }
        // The session itself ends as cancelled then, without an error.
        if case .refused(let failure) = self { summary["error"] = failure.json }
        return .object(summary)
    }
}
