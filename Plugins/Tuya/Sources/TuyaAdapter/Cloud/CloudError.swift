package import TuyaProtocol

/// Why a call to the vendor's cloud failed; holds nothing that is secret.
package struct CloudError: Error, Equatable, Sendable {
    /// The kinds of failure.
    package enum Reason: Equatable, Sendable {
        /// The cloud said no.
        case refused(CloudOutcome)
        /// No connection, or it broke.
        case unreachable
        /// The server's certificate is not trusted.
        case untrusted
        /// No answer within the deadline.
        case timedOut
        /// What answers is no cloud of this vendor: no JSON, or far too much.
        case notTheCloud
        /// The cloud said yes and left out what was asked for.
        case incomplete
        /// There is no account, or no user id where one is needed.
        case notConfigured
        case cancelled
    }

    package var reason: Reason
    /// The cloud's own number.
    package var code: String?
    /// What happened, one sentence for a person.
    package var message: String
    /// What to do about it, one sentence.
    package var hint: String?

    /// Describes a failure.
    package init(_ reason: Reason, _ message: String, code: String? = nil, hint: String? = nil) {
        self.reason = reason
        self.message = message
        self.code = code
        self.hint = hint
    }

    /// Whether the same call may succeed later without a person doing anything.
    package var isRetryable: Bool {
        switch reason {
        case .refused(let outcome): outcome == .retryLater || outcome == .deviceOffline
        case .unreachable, .timedOut: true
        case .untrusted, .notTheCloud, .incomplete, .notConfigured, .cancelled: false
        }
    }
}
