import HomeModel

/// What this program does about a session, from what it hears and what a person does; a value that a ``PairingRun``
/// holds.
struct PairingFlow: Sendable {
    /// What happened.
    enum Event: Sendable {
        /// The session is accepted.
        case started(String)
        case report(SessionReport)
        /// The answers to the question were sent.
        case answered
        /// The gateway did not take the answers.
        case refused(PairingFailure)
        /// The connection to the broker is lost, or back.
        case broker(isUp: Bool)
        /// The gateway says that it is there, or its will says that it is not.
        case gateway(isUp: Bool)
        /// The gateway was asked and knows no such session.
        case unknown
        /// Ctrl-C, or another signal that ends programs.
        case interrupted
        /// There is nobody who could answer; how it will have ended then.
        case stuck(PairingOutcome)
        /// The request to cancel was not taken.
        case cancelRefused
    }

    /// What to do.
    enum Action: Equatable, Sendable {
        case ask(InputForm)
        case stopAsking
        /// Asks the gateway to cancel the session.
        case cancel
        /// Asks the gateway how the session is.
        case inquire
        case finish(PairingOutcome)
    }

    private(set) var session: String?
    private(set) var report: SessionReport?
    /// What is the matter around the session, for a person.
    private(set) var notice: String?
    private var asking: InputForm?
    private var sent: InputForm?
    private var isFinished = false
    private var stuck: PairingOutcome?
    private var interrupts = 0
    private var isBrokerUp = true
    /// Whether the gateway is known to be there; after the broker is back it must say so first.
    private var isGatewayUp = true
    /// Whether the next report may be one that was here already.
    private var mayRepeat = false

    /// Whether a request would be heard.
    var isReachable: Bool { isBrokerUp && isGatewayUp }

    /// Whether a question waits for its answer.
    var isAsking: Bool { asking != nil }

    mutating func take(_ event: Event) -> [Action] {
        guard !isFinished else { return [] }
        let actions = act(on: event)
        isFinished = actions.contains { if case .finish = $0 { true } else { false } }
        return actions
    }

    private mutating func act(on event: Event) -> [Action] {
        switch event {
        case .started(let id):
            session = id
            return interrupts > 0 ? [.cancel] : []
        case .report(let report): return take(report)
        case .answered:
            sent = asking
            asking = nil
            return []
        case .refused(let failure): return refused(failure)
        case .broker(let isUp): return brokerChanged(isUp)
        case .gateway(let isUp): return gatewayChanged(isUp)
        case .unknown:
            notice = "The gateway does not know the session any more: it was restarted in the middle."
            return [.stopAsking, .finish(.forgotten)]
        case .interrupted: return interrupted()
        case .stuck(let outcome):
            stuck = outcome
            asking = nil
            return [.cancel]
        case .cancelRefused:
            notice = "The session could not be cancelled; it ends by itself when its time is over."
            return [.stopAsking, .finish(stuck ?? .left)]
        }
    }

    private mutating func take(_ report: SessionReport) -> [Action] {
        guard report.session == session else { return [] }
        let isRepeated = mayRepeat && report.json == self.report?.json
        mayRepeat = false
        self.report = report
        if report.state.isFinal {
            asking = nil
            notice = nil
            return [.stopAsking, .finish(outcome(of: report.state))]
        }
        guard let question = report.question else {
            defer { asking = nil }
            return asking == nil ? [] : [.stopAsking]
        }
        // On the way to the end only the radio may still need a person.
        guard stuck == nil, interrupts == 0 || report.isAboutRadio else { return [] }
        guard !isRepeated, question != asking else { return [] }
        asking = question
        return [.ask(question)]
    }

    private func outcome(of state: SessionReport.State) -> PairingOutcome {
        switch state {
        case .succeeded: .succeeded
        case .cancelled where stuck != nil: stuck ?? .left
        case .cancelled where interrupts > 0: .interrupted
        default: .ended(state)
        }
    }

    private mutating func refused(_ failure: PairingFailure) -> [Action] {
        // Where the gateway has already asked again, or gone on, that says it all.
        guard asking == nil, var form = sent, report?.question == form else { return [] }
        form.error = failure
        asking = report?.question
        return [.ask(form)]
    }

    private mutating func brokerChanged(_ isUp: Bool) -> [Action] {
        guard isUp != isBrokerUp else { return [] }
        isBrokerUp = isUp
        isGatewayUp = false
        explain()
        return []
    }

    private mutating func gatewayChanged(_ isUp: Bool) -> [Action] {
        isGatewayUp = isUp
        mayRepeat = isUp
        explain()
        return isUp && session != nil ? [.inquire] : []
    }

    private mutating func explain() {
        if !isBrokerUp {
            notice = "The connection to the broker is lost; trying to get it back. The session goes on."
        } else if !isGatewayUp {
            notice = "The gateway is gone; waiting for it to come back."
        } else {
            notice = interrupts > 0 ? Self.cancelling : nil
        }
    }

    private static let cancelling = "Cancelling, and bringing everything back … (Ctrl-C again leaves at once)"

    private mutating func interrupted() -> [Action] {
        interrupts += 1
        guard interrupts == 1, isReachable else {
            if session == nil { return [.finish(.left)] }
            notice = "Left in the middle; lintel pair status \(session ?? "") says how it goes on."
            return [.stopAsking, .finish(.left)]
        }
        notice = Self.cancelling
        asking = nil
        // A session that is being started is cancelled as soon as it has a name.
        return session == nil ? [] : [.stopAsking, .cancel]
    }
}
