import DeviceInterface
package import EventLoop
package import HomeModel
package import JSON

/// A pairing session in the hub: holds its rules and does what they say.
@Loop
package final class Pairing {
    /// Its id in topics and requests.
    package let id: PairingID
    let plan: PairingPlan
    let startedAt: Timestamp
    private(set) var endedAt: Timestamp?
    /// Whether it never began at the plugin.
    private(set) var wasRefused = false
    private(set) var session: PairingSession
    /// What it was given at its start and asked for since, to try again with; in memory only, may hold secrets.
    private(set) var held: JSONObject

    private let clock: () -> Timestamp
    /// Whoever does something for a session holds the hub meanwhile.
    private weak var hub: Hub?
    private let began = Loop.now
    private var timer: LoopTimer?
    private var keepTimer: LoopTimer?
    private var toldAt = Loop.now
    private var recordedStep: String?
    /// The answer on its way to the plugin.
    private var delivery: Task<CommandError?, Never>?
    private var closing: Task<Void, Never>?
    private var radioReply: CheckedContinuation<Result<JSONObject, CommandError>, Never>?
    private var isFinished = false
    private var enders: [Int: CheckedContinuation<Void, Never>] = [:]
    private var nextEnder = 0

    private var elapsed: Duration { Loop.now - began }

    init(id: PairingID, plan: PairingPlan, held: JSONObject, session: PairingSession, hub: Hub) {
        self.id = id
        self.plan = plan
        self.held = held
        self.session = session
        self.hub = hub
        clock = hub.clock
        startedAt = hub.clock()
    }

    /// A session of an earlier life of the gateway, which was killed in the middle.
    init(interrupted record: PairingRecord, hub: Hub) {
        id = record.session
        plan = PairingPlan(
            plugin: record.plugin,
            method: record.method,
            home: record.home,
            isHomeChosen: record.home != nil,
            room: record.room,
            name: record.name
        )
        held = JSONObject()
        session = PairingSession(interrupted: record, times: hub.timing.pairing)
        self.hub = hub
        clock = hub.clock
        startedAt = record.startedAt
        endedAt = hub.clock()
        isFinished = true
    }

    // MARK: What others see

    /// Whether it has ended, and all about it is done.
    package var isEnded: Bool { isFinished }

    /// The session as it is published, without any secret that it was given.
    ///
    /// `{"session","plugin","method","home"?,"retry_of"?,"started_at","ended_at"?,"deadline"?,…}` and what
    /// ``PairingSession/adding(to:)`` adds.
    package var payload: JSONObject {
        var object: JSONObject = ["session": .string(id.text), "plugin": .string(plan.plugin.text)]
        object["method"] = .string(plan.method)
        if let home = plan.home { object["home"] = .string(home.text) }
        if let retryOf = plan.retryOf { object["retry_of"] = .string(retryOf.text) }
        object["started_at"] = .string(startedAt.description)
        if let endedAt { object["ended_at"] = .string(endedAt.description) }
        if let dueAt = session.dueAt { object["deadline"] = .string((clock() + (dueAt - elapsed)).description) }
        return session.adding(to: object)
    }

    /// What is kept of it.
    var record: PairingRecord {
        PairingRecord(
            session: id,
            plugin: plan.plugin,
            method: plan.method,
            home: plan.home,
            room: plan.room,
            name: plan.name,
            startedAt: startedAt,
            endedAt: endedAt,
            state: endedAt == nil ? "running" : session.state,
            step: session.step,
            failure: endedAt == nil ? session.failureAfterKill : session.end?.failure,
            devices: session.devices
        )
    }

    /// Waits until it has ended and all about it is done.
    func ended() async { await ended(orAfter: nil) }

    /// Waits until it has ended, but no longer than `limit`.
    func ended(orAfter limit: Duration?) async {
        if isFinished { return }
        nextEnder += 1
        let number = nextEnder
        let timer = limit.map { LoopTimer(after: $0) { [self] in enders.removeValue(forKey: number)?.resume() } }
        await withCheckedContinuation { enders[number] = $0 }
        timer?.cancel()
    }

    /// `{"session","state"}`.
    var summary: JSONObject { ["session": .string(id.text), "state": .string(session.state)] }

    // MARK: What happens

    /// Brings it to the plugin; returns when it is under way there.
    ///
    /// - Throws: what the plugin says; the session has failed then, and is told of as such.
    func begin(at adapter: any DeviceAdapter) async throws(CommandError) {
        // It may have been cancelled while it was recorded.
        guard session.end == nil else { throw CommandError(.conflict, "The session was ended before it began.") }
        arm()
        do throws(CommandError) {
            try await adapter.startPairing(
                PairingStart(session: id, method: plan.method, home: plan.home, from: plan.from, input: held)
            )
        } catch {
            wasRefused = true
            take(.refused(error))
            throw session.secrets.redacted(error)
        }
        // A cancel that was on its way may have met the plugin before it knew of the session.
        if session.end != nil { await adapter.cancelPairing(id) }
        take(.started)
    }

    /// Takes an answer to what is asked; returns when the plugin has it.
    func answer(_ answer: JSONObject, given secrets: [String]) async throws(CommandError) {
        for secret in secrets { session.secrets.learn(secret) }
        if let refusal = take(.answer(answer)) { throw session.secrets.redacted(refusal) }
        guard let delivery else { return }
        if let error = await delivery.value { throw session.secrets.redacted(error) }
    }

    /// Takes what happened, and does what follows.
    ///
    /// - Returns: what to tell the caller where it cannot be done now.
    @discardableResult
    func take(_ input: PairingInput) -> CommandError? {
        var refusal: CommandError?
        delivery = nil
        for output in session.take(input, at: elapsed) {
            switch output {
            case .publish: publish()
            case .answerPlugin(let answer): deliver(answer)
            case .answerRadio(let answer): replyToRadio(.success(answer))
            case .close(let tellsPlugin): close(tellsPlugin: tellsPlugin)
            case .abandonRadio:
                replyToRadio(.failure(CommandError(.conflict, "The session ended before this was answered.")))
            case .finish: finish()
            case .refuse(let error): refusal = error
            }
        }
        arm()
        return refusal
    }

    private func publish() {
        toldAt = Loop.now
        if session.step != recordedStep, session.end == nil {
            recordedStep = session.step
            hub?.pairings.keep(record)
        }
        hub?.tell { $0.pairingChanged(self) }
    }

    private func deliver(_ answer: JSONObject) {
        for (name, value) in answer { held[name] = value }
        let adapter = hub?.plugins?.adapter(for: plan.plugin)
        delivery = Task { @Loop [self] in
            do throws(CommandError) {
                guard let adapter else { throw .pluginDown(plan.plugin) }
                try await adapter.answerPairing(id, input: answer)
                return nil
            } catch {
                take(.answerRefused(error))
                return error
            }
        }
    }

    // MARK: The radio

    /// Asks a person something for the radio, by ``ask(_:)``.
    var prompt: WiFiPrompt {
        { [self] (form: InputForm) async throws(CommandError) -> JSONObject in try await ask(form) }
    }

    private func ask(_ form: InputForm) async throws(CommandError) -> JSONObject {
        guard !session.isEnded, !Task.isCancelled else { throw CommandError(.conflict, "The session has ended.") }
        replyToRadio(.failure(CommandError(.conflict, "Another question took its place.")))
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                radioReply = continuation
                take(.radioAsks(form))
            }
        } onCancel: {
            Task { @Loop in settleRadio() }
        }
        return try result.get()
    }

    private func settleRadio() {
        guard radioReply != nil else { return }
        replyToRadio(.failure(CommandError(.conflict, "The radio does not need this any longer.")))
        take(.radioSettled)
    }

    private func replyToRadio(_ result: Result<JSONObject, CommandError>) {
        let reply = radioReply
        radioReply = nil
        reply?.resume(returning: result)
    }

    // MARK: The end

    private func close(tellsPlugin: Bool) {
        guard let hub else { return }
        closing = Task { @Loop [self] in
            if case .succeeded(let vendorIDs) = session.end {
                let (devices, failure) = await hub.place(vendorIDs, by: plan)
                take(.registered(devices, failure))
            }
            if tellsPlugin { await hub.plugins?.adapter(for: plan.plugin)?.cancelPairing(id) }
            // What goes wrong here is in the log; the session ends as it would have.
            do throws(CommandError) { try await hub.pairings.radio.leave(for: id, prompt: prompt) } catch {}
            take(.closed)
        }
    }

    private func finish() {
        timer = nil
        endedAt = clock()
        if case .ended(.succeeded) = session.phase { forgetSecrets() }
        guard let hub else { return }
        hub.commits.submit([.putPairing(record)]) { [self] failure in
            if let failure { hub.pairings.notKept(failure) }
            isFinished = true
            hub.tell { $0.pairingChanged(self) }
            hub.pairings.announce(self)
            startKeeping()
            let waiting = enders.values
            enders = [:]
            for ender in waiting { ender.resume() }
        }
    }

    /// Begins the time in which it can still be seen and tried again.
    func startKeeping() {
        keepTimer = LoopTimer(after: session.times.keep) { [weak self] in
            guard let self else { return }
            hub?.pairings.forget(self)
        }
    }

    /// Wipes all that it was given.
    func forgetSecrets() {
        held = JSONObject()
        session.secrets.forget()
    }

    // MARK: Time

    private func arm() {
        guard let dueAt = session.dueAt else {
            timer = nil
            return
        }
        let refresh = toldAt + session.times.refresh
        let due = began + dueAt
        timer = LoopTimer(at: min(due, refresh)) { [weak self] in
            guard let self else { return }
            if Loop.now >= due { take(.tick) } else { refreshed() }
        }
    }

    private func refreshed() {
        toldAt = Loop.now
        hub?.tell { $0.pairingChanged(self) }
        arm()
    }
}
