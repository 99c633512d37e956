import EventLoop
import Glibc
import HomeModel
import JSON
import MQTT

/// One session at the gateway, shown and answered on a stage; holds a ``PairingFlow`` and does what that says.
@Loop
final class PairingRun {
    /// A little more than the gateway gives a session for its clean end.
    private static let patience = Duration.seconds(200)

    /// Longer than the gateway waits for a plugin.
    private static let requestPatience = Duration.seconds(20)

    private let gateway: GatewayClient
    private let stage: any PairingStage
    /// What was given on the command line and not used up.
    private(set) var given: GivenAnswers
    private var flow = PairingFlow()
    /// Reports that come before the session's name is known.
    private var early: [String: SessionReport] = [:]
    /// Answers that wait until somebody hears them.
    private var held: JSONObject?
    /// The form that was answered with nothing, by nobody.
    private var leftEmpty: InputForm?
    private var tasks: [Task<Void, Never>] = []
    private var deadline: LoopTimer?
    private var outcome: PairingOutcome?
    private var ending: CheckedContinuation<PairingOutcome, Never>?

    init(gateway: GatewayClient, stage: any PairingStage, given: GivenAnswers) {
        self.gateway = gateway
        self.stage = stage
        self.given = given
    }

    /// The last that was heard of the session.
    var report: SessionReport? { flow.report }

    /// Starts a session with a request, and sees it through to its end.
    ///
    /// - Returns: the end; nil where the gateway refused the request, with its answer in `refusal`.
    func run(_ path: String, _ arguments: JSONObject) async throws -> (outcome: PairingOutcome?, refusal: JSON?) {
        let base = "\(gateway.baseTopic)/bridge"
        gateway.onConnection = { [weak self] in self?.take(.broker(isUp: $0)) }
        try await gateway.listen(to: ["\(base)/pairing/+", "\(base)/state"]) { [weak self] in self?.heard($0, base) }
        let answer = try await gateway.request(path, arguments, within: Self.requestPatience)
        guard answer["status"] != "error", let session = answer["data"]?["session"]?.stringValue else {
            return (outcome, outcome == nil ? answer : nil)
        }
        take(.started(session))
        if let report = early[session] { take(.report(report)) }
        early = [:]
        let outcome = await end()
        for task in tasks { task.cancel() }
        return (outcome, nil)
    }

    /// Ctrl-C or another signal that ends programs.
    func interrupt() { take(.interrupted) }

    private func end() async -> PairingOutcome {
        if let outcome { return outcome }
        return await withCheckedContinuation { ending = $0 }
    }

    private func heard(_ message: MQTTMessage, _ base: String) {
        if message.topic == "\(base)/state" {
            // Each is news: a gateway that was restarted quickly may never have been gone for the broker.
            return take(.gateway(isUp: message.text == "online"))
        }
        guard message.topic.hasPrefix("\(base)/pairing/") else { return }
        guard let report = (try? JSON.parse(message.payload)).flatMap(SessionReport.init) else {
            // A topic that is cleared tells no end.
            if let session = flow.session, message.topic == "\(base)/pairing/\(session)" { perform(.inquire) }
            return
        }
        if flow.session == nil { early[report.session] = report } else { take(.report(report)) }
    }

    // MARK: Doing

    private func take(_ event: PairingFlow.Event) {
        let actions = flow.take(event)
        stage.show(flow.report, notice: flow.notice)
        for action in actions { perform(action) }
        guard let answers = held else { return }
        if !flow.isAsking { held = nil } else if flow.isReachable { send(answers) }
    }

    private func perform(_ action: PairingFlow.Action) {
        switch action {
        case .ask(let form): ask(form)
        case .stopAsking: stage.stopAsking()
        case .cancel: cancel()
        case .inquire: inquire()
        case .finish(let outcome):
            self.outcome = outcome
            deadline = nil
            ending?.resume(returning: outcome)
            ending = nil
        }
    }

    private func ask(_ form: InputForm) {
        let known: JSONObject
        do throws(Failure) {
            known = try given.take(for: form)
        } catch {
            stage.complain(error.message, hint: error.hint)
            return take(.stuck(.unanswered))
        }
        if form.fields.isEmpty ? given.goesAhead : FormDialogue(form, known: known).isComplete { return send(known) }
        guard stage.canAsk else { return answerAlone(form, known) }
        stage.ask(form, known: known) { [weak self] answers in
            if let answers { self?.send(answers) } else { self?.interrupt() }
        }
    }

    /// Answers with what was given, where nobody can be asked.
    private func answerAlone(_ form: InputForm, _ known: JSONObject) {
        if let error = form.error, known.isEmpty {
            for (text, _) in PairingWords.failure(error) { stage.complain(text, hint: nil) }
            return take(.stuck(.refused(error)))
        }
        // Nothing helped once already: the next time one of the fields is meant, though none alone is required.
        let isAgain = known.isEmpty && form == leftEmpty
        let missing = form.fields.first { known[$0.name] == nil && ($0.isRequired || isAgain) && $0.fallback == nil }
        if let missing {
            stage.complain(
                "\(form.title): \(missing.name) (\(missing.title)) is missing, and there is nobody to ask.",
                hint: GivenAnswers.ways(of: missing)
            )
            return take(.stuck(.unanswered))
        }
        guard !form.fields.isEmpty else {
            stage.complain(
                "\(form.title): this waits for a person. \(form.why ?? "")",
                hint: "Give --yes to go on without one."
            )
            return take(.stuck(.unanswered))
        }
        leftEmpty = known.isEmpty ? form : nil
        send(known)
    }

    private func send(_ answers: JSONObject) {
        guard let session = flow.session else { return }
        held = flow.isReachable ? nil : answers
        guard held == nil else { return }
        take(.answered)
        call("pairing/answer", ["session": .string(session), "input": .object(answers)]) { [weak self] error in
            if let error { self?.take(.refused(error)) }
        }
    }

    private func cancel() {
        guard let session = flow.session else { return }
        deadline = LoopTimer(after: Self.patience) { [weak self] in self?.take(.cancelRefused) }
        call("pairing/cancel", ["session": .string(session)]) { [weak self] error in
            guard let self, error != nil else { return }
            // It may just have ended by itself.
            inquire()
        }
    }

    private func inquire() {
        guard let session = flow.session else { return }
        tasks.append(
            Task { @Loop [weak self, gateway] in
                let answer = try? await gateway.request("pairing/status", ["session": .string(session)])
                guard let answer, let self else { return }
                if answer["status"] == "error" { return take(.unknown) }
                if let report = Self.report(of: session, in: answer["data"] ?? .null) { take(.report(report)) }
            }
        )
    }

    /// A session in an answer to `pairing/status`: the data itself, or one of its list.
    static func report(of session: String, in data: JSON) -> SessionReport? {
        let candidates = [data, data["session"] ?? .null] + (data["sessions"]?.arrayValue ?? [])
        return candidates.lazy.compactMap(SessionReport.init).first { $0.session == session }
    }

    private func call(_ path: String, _ arguments: JSONObject, _ done: @escaping @Loop (PairingFailure?) -> Void) {
        tasks.append(
            Task { @Loop [gateway] in
                do {
                    let answer = try await gateway.request(path, arguments, within: Self.requestPatience)
                    guard answer["status"] == "error" else { return done(nil) }
                    done(
                        answer["error"].flatMap(PairingFailure.init(json:))
                            ?? PairingFailure("internal", "The gateway does not say why.")
                    )
                } catch {
                    let message = (error as? Failure)?.message ?? "\(error)"
                    done(PairingFailure("unreachable", message, hint: (error as? Failure)?.hint))
                }
            }
        )
    }
}
