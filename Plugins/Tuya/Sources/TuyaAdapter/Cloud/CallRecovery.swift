import TuyaProtocol

/// What a failed request is worth: a new access token once, the cloud's time once, or patience.
///
/// Source: protocol description, section 9.6.
struct CallRecovery: Equatable, Sendable {
    enum Patience: Sendable {
        /// Whoever asks, asks again anyway.
        case askOnce
        /// Waits 1, 2, 4 … 60 s while the cloud is busy.
        case backOff
    }

    private static let longestPause = Duration.seconds(60)

    private let patience: Patience
    private var hasRenewed = false
    private var hasResynced = false
    private var nextPause = Duration.seconds(1)

    init(_ patience: Patience) { self.patience = patience }

    /// How long to wait before the request is repeated; nil: not at all.
    mutating func pause(after error: CloudError) -> Duration? {
        if Self.isAboutToken(error), !hasRenewed {
            hasRenewed = true
            return .zero
        }
        if error.isRefusal(.clockSkew), !hasResynced {
            hasResynced = true
            return .zero
        }
        guard error.isRefusal(.retryLater), patience == .backOff else { return nil }
        let pause = nextPause
        nextPause = min(pause * 2, Self.longestPause)
        return pause
    }

    /// Whether the cloud refused the access token.
    static func isAboutToken(_ error: CloudError) -> Bool {
        error.isRefusal(.tokenExpired) || error.isRefusal(.tokenInvalid)
    }
}

extension CloudError {
    func isRefusal(_ outcome: CloudOutcome) -> Bool { reason == .refused(outcome) }
}
