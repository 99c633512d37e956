import HomeModel
import JSON

extension PairingSession {
    /// Takes what happened.
    ///
    /// - Parameter now: the time since the session's start, never less than before.
    /// - Returns: what to do, in order.
    mutating func take(_ input: PairingInput, at now: Duration) -> [PairingOutput] {
        switch phase {
        case .open: takeOpen(input, at: now)
        case .closing(let end): takeClosing(input, end, at: now)
        case .ended: Self.refusal(of: input)
        }
    }

    private mutating func takeOpen(_ input: PairingInput, at now: Duration) -> [PairingOutput] {
        switch input {
        case .started:
            if !isAsking { waitingSince = now }
            return [.publish]
        case .refused(let error):
            // It may have taken the session all the same, where its word came too late.
            let failure = PairingFailure(secrets.redacted(error), step: step).limited
            return close(.failed(failure), tellsPlugin: true, at: now)
        case .progress(let progress): return take(progress, at: now)
        case .answer(let answer): return take(answer, at: now)
        case .answerRefused(let error): return askAgain(secrets.redacted(error), at: now)
        case .radioAsks(let form): return radioAsks(form, at: now)
        case .radioSettled: return radioSettled(at: now)
        case .cancel: return close(.cancelled, tellsPlugin: true, at: now)
        case .stop:
            let failure = ownFailure(
                .interrupted,
                "The gateway was stopped in the middle.",
                hint: "Start again when it is back."
            )
            return close(.failed(failure), tellsPlugin: true, at: now)
        case .pluginDown:
            let failure = ownFailure(
                PairingCode(.pluginDown),
                "The plugin ended in the middle.",
                hint: "It is started again by itself; then try again. plugin/logs says why it ended."
            )
            return close(.failed(failure), tellsPlugin: false, at: now)
        case .tick:
            guard let dueAt, now >= dueAt else { return [] }
            return close(.expired(overdue), tellsPlugin: true, at: now)
        case .registered, .closed: return []
        }
    }

    /// The end is decided and nothing changes it; only the radio may still need a person for its way home.
    private mutating func takeClosing(
        _ input: PairingInput,
        _ end: PairingEnd,
        at now: Duration
    ) -> [PairingOutput] {
        switch input {
        case .answer(let answer): return take(answer, at: now)
        case .radioAsks(let form):
            radioQuestion = form
            return [.publish]
        case .radioSettled:
            guard radioQuestion != nil else { return [] }
            radioQuestion = nil
            return [.publish]
        case .registered(let devices, let failure):
            guard case .succeeded = end else { return [] }
            self.devices = devices
            if let failure { phase = .closing(.failed(secrets.redacted(failure))) }
            return []
        case .closed: return finish(end)
        case .tick:
            guard let dueAt, now >= dueAt else { return [] }
            let abandons: [PairingOutput] = radioQuestion == nil ? [] : [.abandonRadio]
            return abandons + finish(end)
        case .started, .refused, .progress, .answerRefused, .cancel, .stop, .pluginDown: return []
        }
    }

    private static func refusal(of input: PairingInput) -> [PairingOutput] {
        guard case .answer = input else { return [] }
        return [.refuse(CommandError(.conflict, "The session has ended.", hint: "Try again with pairing/retry."))]
    }

    // MARK: The plugin

    private mutating func take(_ progress: PairingProgress, at now: Duration) -> [PairingOutput] {
        note(progress)
        switch progress.state {
        case .running, .needsInput:
            let wasAsking = isAsking
            answeredQuestion = nil
            pluginQuestion = nil
            if progress.state == .needsInput {
                let question = progress.needsInput ?? InputForm(title: progress.message ?? "Continue?")
                guard let question = question.limited else {
                    let failure = ownFailure(
                        PairingCode(.tooLarge),
                        "The plugin asks for more than can be shown.",
                        hint: "Look at its log (plugin/logs), and report it to whoever makes it."
                    )
                    return close(.failed(failure), tellsPlugin: true, at: now)
                }
                pluginQuestion = question
            }
            // A plugin that repeats its question gives a person no new time, nor does one that works behind the radio's.
            if !wasAsking || !isAsking { beginWait(at: now, wasAsking: wasAsking) }
            return [.publish]
        case .succeeded:
            percent = 100
            return close(.succeeded(progress.devices), tellsPlugin: false, at: now)
        case .failed:
            var failure =
                progress.failure.map { secrets.redacted($0) }
                ?? PairingFailure(PairingCode(.internal), message ?? "The plugin did not say why it failed.")
            failure.step = failure.step ?? step
            return close(.failed(failure.limited), tellsPlugin: false, at: now)
        case .cancelled:
            return close(.cancelled, tellsPlugin: false, at: now)
        }
    }

    /// Takes over what progress says, without secrets and within limits.
    private mutating func note(_ progress: PairingProgress) {
        func cleaned(_ id: String) -> String { String(secrets.redacted(id: id).prefix(Self.maxStepText)) }
        if !progress.steps.isEmpty {
            steps = []
            for id in progress.steps.prefix(Self.maxSteps).map(cleaned) where !steps.contains(id) { steps.append(id) }
        }
        let step = cleaned(progress.step)
        if !step.isEmpty {
            self.step = step
            if !steps.contains(step), steps.count <= Self.maxSteps { steps.append(step) }
        }
        percent = progress.percent.map { min(max($0, 0), 100) }
        message = progress.message.map { String(secrets.redacted($0).prefix(Self.maxMessage)) }
        data = secrets.redacted(progress.data)
    }

    private mutating func askAgain(_ error: CommandError, at now: Duration) -> [PairingOutput] {
        guard var form = answeredQuestion, pluginQuestion == nil else { return [] }
        let wasAsking = isAsking
        form.error = PairingFailure(error, step: step).limited
        pluginQuestion = form
        answeredQuestion = nil
        if !wasAsking { beginWait(at: now, wasAsking: false) }
        return [.publish]
    }

    // MARK: A person

    private mutating func take(_ answer: JSONObject, at now: Duration) -> [PairingOutput] {
        guard let form = question else {
            return [.refuse(CommandError(.badRequest, "The session asks for nothing now."))]
        }
        let checked: JSONObject
        do throws(CommandError) {
            checked = try form.checked(answer)
        } catch {
            return [.refuse(error)]
        }
        secrets.learn(checked, form: form)
        if radioQuestion != nil {
            radioQuestion = nil
            if case .open = phase { beginWait(at: now, wasAsking: true) }
            return [.answerRadio(checked), .publish]
        }
        pluginQuestion = nil
        answeredQuestion = form
        beginWait(at: now, wasAsking: true)
        return [.answerPlugin(checked), .publish]
    }

    // MARK: The radio

    private mutating func radioAsks(_ form: InputForm, at now: Duration) -> [PairingOutput] {
        let wasAsking = isAsking
        radioQuestion = form
        beginWait(at: now, wasAsking: wasAsking)
        return [.publish]
    }

    private mutating func radioSettled(at now: Duration) -> [PairingOutput] {
        guard radioQuestion != nil else { return [] }
        radioQuestion = nil
        beginWait(at: now, wasAsking: true)
        return [.publish]
    }

    // MARK: The end

    private mutating func close(_ end: PairingEnd, tellsPlugin: Bool, at now: Duration) -> [PairingOutput] {
        let abandons: [PairingOutput] = radioQuestion == nil ? [] : [.abandonRadio]
        pluginQuestion = nil
        radioQuestion = nil
        answeredQuestion = nil
        waitingSince = now
        phase = .closing(end)
        return abandons + [.publish, .close(tellsPlugin: tellsPlugin)]
    }

    private mutating func finish(_ end: PairingEnd) -> [PairingOutput] {
        radioQuestion = nil
        phase = .ended(end)
        return [.finish]
    }
}
