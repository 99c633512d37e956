package import EventLoop
package import TuyaProtocol

/// A pairing token with its time; good for one pairing, whether that succeeds or not.
///
/// Source: protocol description, sections 6 and 9.4.
package struct PairingTicket: Equatable, Sendable {
    /// No token is valid longer than this, whatever the cloud says.
    package static let longest = Duration.seconds(600)

    /// Why a ticket is of no use any more.
    package enum Problem: Error, Equatable, Sendable {
        case expired
        case used
    }

    package let token: PairingToken
    /// The home that the device will belong to; nil: the user's default.
    package let home: String?
    package let expiresAt: MonotonicTime
    /// Whether a pairing was tried with it.
    package private(set) var isUsed = false

    /// A ticket that was just handed out.
    ///
    /// - Parameters:
    ///   - lifetime: what the cloud says; at most ``longest`` counts.
    ///   - asked: when the cloud was asked for it, so that the way of the answer does not lengthen its life.
    package init(token: PairingToken, home: String?, lifetime: Duration = longest, asked: MonotonicTime) {
        self.token = token
        self.home = home
        expiresAt = asked + max(.zero, min(lifetime, Self.longest))
    }

    /// What speaks against pairing with it at `now`, or nil.
    package func problem(at now: MonotonicTime) -> Problem? {
        if isUsed { return .used }
        return now < expiresAt ? nil : .expired
    }

    /// Marks it as used; a pairing calls this before the device gets the token.
    ///
    /// - Throws: what speaks against it.
    package mutating func use(at now: MonotonicTime) throws(Problem) {
        if let problem = problem(at: now) { throw problem }
        isUsed = true
    }

    /// How long it stays valid; zero when it is not.
    package func remaining(at now: MonotonicTime) -> Duration { max(.zero, expiresAt - now) }
}
