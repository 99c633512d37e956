package import EventLoop
package import HomeModel
package import JSON
import TuyaProtocol

extension HotspotMachine {
    /// Takes an event; one that comes when nobody waits for it any more changes nothing.
    package mutating func handle(_ event: PairingEvent, at now: MonotonicTime) {
        guard phase != .over, phase != .idle else { return }
        switch event {
        case .token(let result): gotToken(result, now)
        case .scanned(let result): scanned(result, now)
        case .joined(let result): joined(result, now)
        case .left(let error): left(error, now)
        case .hotspotLost(let ssid): lost(ssid, now)
        case .announced(let device, let address): announced(device, address, now)
        case .announcedOld(let address): announcedOld(address, now)
        case .channelUp: channelUp(now)
        case .channelDown(let reason): channelDown(reason, now)
        case .cannotSend(let reason):
            fail(PairingErrorCode.noChannel.failure("The gateway cannot send in the device's hotspot: \(reason)."))
        case .frame(let command, let returnCode, let body): received(command, returnCode, body, now)
        case .oldChannelUp: oldChannelUp(now)
        case .oldChannelDown: closeOldChannel()
        case .oldAnswer(let command, let returnCode): oldAnswer(command, returnCode, now)
        case .answer(let input): answered(input, now)
        case .polled(let result): polled(result, now)
        case .described(let result, let mayRepeat): described(result, mayRepeat: mayRepeat, now)
        case .sighted(let sighting): sighted(sighting, now)
        case .link(let status): linked(status, now)
        case .neighbour(let isNear): neighbour(isNear, now)
        }
    }

    /// Checks an answer against the question that is open.
    ///
    /// - Throws: `bad_request` where nothing was asked; what ``InputForm/checked(_:)`` throws.
    package func checked(_ input: JSONObject) throws(CommandError) -> JSONObject {
        guard case .asking = phase, let form else {
            throw CommandError(.badRequest, "The session asks for nothing now.")
        }
        return try form.checked(input)
    }

    // MARK: Token

    /// Goes on with a token that is good for another pairing, and gets one where there is none.
    mutating func needToken(for continuation: Continuation, _ now: MonotonicTime) {
        self.continuation = continuation
        if let ticket, now < ticket.expiresAt, !tokenIsSpent { return proceed(now) }
        guard order.hasCloud else {
            if ticket == nil || continuation == .approach { return proceed(now) }
            return ask(
                .token,
                tokenIsSpent
                    ? "The cloud refused the token; another one is needed."
                    : "The token is older than ten minutes; another one is needed.",
                now
            )
        }
        phase = .fetchingToken
        stateDeadline = nil
        tell(.token, ticket == nil ? "Getting a pairing token." : "Getting a new pairing token.")
        emit(.fetchToken)
    }

    private mutating func gotToken(_ result: Result<PairingTicket, PairingFailure>, _ now: MonotonicTime) {
        guard phase == .fetchingToken else { return }
        switch result {
        case .failure(let failure): fail(failure)
        case .success(let ticket):
            self.ticket = ticket
            tokenIsSpent = false
            proceed(now)
        }
    }

    private mutating func proceed(_ now: MonotonicTime) {
        switch continuation {
        case .approach: approach(now)
        case .send: send(now)
        }
    }
}
