import EventLoop
import HomeModel
import JSON

/// Where a pairing is shown, and where questions are asked.
@Loop
protocol PairingStage: AnyObject {
    /// Whether there is somebody who can answer.
    var canAsk: Bool { get }

    /// Shows how the session is.
    ///
    /// - Parameter notice: what is the matter around it.
    func show(_ report: SessionReport?, notice: String?)

    /// Asks for what a form wants and is not known, in place of what was asked before.
    ///
    /// - Parameter answer: called once with all answers, or with nil where somebody ended the input, unless
    ///   ``stopAsking()`` comes first.
    func ask(_ form: InputForm, known: JSONObject, answer: @escaping @Loop (JSONObject?) -> Void)

    /// Takes the question back.
    func stopAsking()

    /// Says something that a person must see, such as why an option is no answer.
    func complain(_ message: String, hint: String?)

    /// Shows the end and leaves the terminal as it was.
    func finish(_ outcome: PairingOutcome)
}

extension PairingStage {
    /// Asks and waits for the answers; nil where somebody ended the input.
    func answers(to form: InputForm, known: JSONObject = JSONObject()) async -> JSONObject? {
        await withCheckedContinuation { continuation in
            ask(form, known: known) { continuation.resume(returning: $0) }
        }
    }
}
