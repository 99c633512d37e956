import EventLoop
import HomeModel
import JSON

/// What a method that is a plain course of steps tells and asks.
@Loop
final class PairingDialogue {
    let session: PairingID
    private let steps: [PairingStep]
    private let tell: @Loop (PairingProgress) -> Void
    private var step = PairingStep.preflight
    private var form: InputForm?
    private var waiter: CheckedContinuation<JSONObject?, Never>?
    private var isOver = false
    /// Goes out with each progress.
    var facts = JSONObject()

    init(_ session: PairingID, steps: [PairingStep], tell: @escaping @Loop (PairingProgress) -> Void) {
        self.session = session
        self.steps = steps
        self.tell = tell
    }

    func tell(_ step: PairingStep, _ message: String) {
        self.step = step
        send(.running, message)
    }

    /// Asks a person and waits.
    ///
    /// - Throws: where the session is cancelled meanwhile.
    func ask(_ form: InputForm) async throws(PairingFailure) -> JSONObject {
        guard !isOver else { throw Self.cancelled }
        self.form = form
        send(.needsInput, form.why ?? form.title, form)
        let answer = await withCheckedContinuation { waiter = $0 }
        guard let answer else { throw Self.cancelled }
        return answer
    }

    func answer(_ input: JSONObject) throws(CommandError) {
        guard let form, let waiter else {
            throw CommandError(.badRequest, "The session asks for nothing now.")
        }
        let checked = try form.checked(input)
        self.form = nil
        self.waiter = nil
        waiter.resume(returning: checked)
    }

    /// Ends every wait.
    func cancel() {
        isOver = true
        form = nil
        let waiting = waiter
        waiter = nil
        waiting?.resume(returning: nil)
    }

    func succeed(_ devices: [VendorID], _ message: String) {
        guard !isOver else { return }
        isOver = true
        step = steps.last ?? step
        send(.succeeded, message, nil, devices)
    }

    func fail(_ failure: PairingFailure) {
        guard !isOver else { return }
        isOver = true
        var failure = failure
        failure.step = failure.step ?? step.rawValue
        tell(
            PairingProgress(
                session: session,
                state: .failed,
                step: failure.step ?? step.rawValue,
                steps: steps.map(\.rawValue),
                message: failure.message,
                failure: failure,
                data: facts
            )
        )
    }

    static let cancelled = PairingFailure(.interrupted, "The session was cancelled.")

    private func send(
        _ state: PairingProgress.State,
        _ message: String,
        _ form: InputForm? = nil,
        _ devices: [VendorID] = []
    ) {
        guard !isOver || state == .succeeded else { return }
        tell(
            PairingProgress(
                session: session,
                state: state,
                step: step.rawValue,
                steps: steps.map(\.rawValue),
                message: message,
                needsInput: form,
                devices: devices,
                data: facts
            )
        )
    }
}
