import HomeModel
import JSON

/// One pairing session, from its start to its end.
///
/// A value: it is told what happens, with the time since its start, and says what to do; ``Pairing`` holds it and does
/// that. Nothing in it depends on a vendor.
///
/// ```
/// open ──(the plugin ends it, cancel, expiry, plugin down, stop)──► closing ──(closed, or too late)──► ended
/// ```
/// While open it runs, or asks: the plugin may ask, and the radio, whose question comes first.
struct PairingSession: Sendable {
    enum Phase: Sendable, Equatable {
        case open
        /// The plugin lets go, devices are taken in, the radio goes home.
        case closing(PairingEnd)
        case ended(PairingEnd)
    }

    /// The longest list of steps, and the longest text of a step's id and a message, in characters.
    static let (maxSteps, maxStepText, maxMessage) = (50, 64, 1000)

    let times: PairingTimes
    var phase = Phase.open
    /// All steps in order, as far as they are known.
    var steps: [String] = []
    /// The step under way.
    var step: String?
    var percent: Int?
    var message: String?
    var data = JSONObject()
    /// What the plugin asks for; the form as it came, for checking.
    var pluginQuestion: InputForm?
    /// What the radio asks for.
    var radioQuestion: InputForm?
    /// The plugin's question that was answered last, to ask again where the plugin does not take the answer.
    var answeredQuestion: InputForm?
    /// The devices that came in.
    var devices: [DeviceID] = []
    var secrets = SessionSecrets()

    /// When the present wait began: for the plugin's next word, for a person, or for the end.
    var waitingSince = Duration.zero
    /// When the present stretch of work began.
    private var workingSince = Duration.zero
    /// How long it has worked before the present stretch.
    private var worked = Duration.zero

    init(times: PairingTimes) {
        self.times = times
    }

    /// Whether it waits for a person.
    var isAsking: Bool { question != nil }

    /// What a person is asked now.
    var question: InputForm? { radioQuestion ?? pluginQuestion }

    var isEnded: Bool { if case .ended = phase { true } else { false } }

    /// How it ended, or will.
    var end: PairingEnd? {
        switch phase {
        case .open: nil
        case .closing(let end), .ended(let end): end
        }
    }

    /// When it will have waited too long, since its start; nil once it has ended.
    var dueAt: Duration? {
        switch phase {
        case .ended: return nil
        case .closing: return waitingSince + times.closing
        case .open:
            if isAsking { return waitingSince + times.person }
            return min(waitingSince + times.silence, workingSince + times.work - worked)
        }
    }

    // MARK: Time

    /// Begins a wait; `wasAsking` says what the time before it was.
    mutating func beginWait(at now: Duration, wasAsking: Bool) {
        waitingSince = now
        if !wasAsking { worked += now - workingSince }
        workingSince = now
    }

    /// A failure for a session that took too long.
    var overdue: PairingFailure {
        let (message, hint): (String, String) =
            if isAsking {
                ("Nobody answered in time.", "Start again when somebody can answer.")
            } else {
                ("The plugin did not get to an end in time.", "Look at its log (plugin/logs), then try again.")
            }
        return ownFailure(PairingCode(.timeout), message, hint: hint)
    }

    /// A failure that is not the plugin's: what the plugin had is gone, so that a new try begins at the first step.
    func ownFailure(_ code: PairingCode, _ message: String, hint: String) -> PairingFailure {
        PairingFailure(code, message, hint: hint, step: step, retryFrom: steps.first)
    }
}
