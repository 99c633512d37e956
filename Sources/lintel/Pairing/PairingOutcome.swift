import HomeModel

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
    /// The session did not take an answer, and there is nobody to ask for another.
    case refused
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
}
