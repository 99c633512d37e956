import EventLoop
import JSON

/// What requests are allowed with.
struct AccessToken: Equatable, Sendable {
    /// Replaced this long before it ends.
    static let margin = Duration.seconds(60)

    let token: String
    let refresh: String?
    let expiresAt: MonotonicTime

    /// Reads the answer to a token request.
    ///
    /// - Parameter asked: when it was asked for.
    /// - Returns: nil without a token.
    init?(_ reply: JSON, asked: MonotonicTime) {
        guard let result = reply["result"], let token = result["access_token"]?.stringValue, Self.isPlain(token) else {
            return nil
        }
        self.token = token
        refresh = result["refresh_token"]?.stringValue.flatMap { Self.isPlain($0) ? $0 : nil }
        let seconds = result["expire_time"].flatMap { CloudReading.number($0) } ?? 0
        expiresAt = asked + .seconds(max(0, min(seconds, 30 * 86_400)))
    }

    /// Whether it is good for more than the next moment.
    func isFresh(at now: MonotonicTime) -> Bool { now + Self.margin < expiresAt }

    /// It goes into headers and paths.
    private static func isPlain(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 512 && text.utf8.allSatisfy { CloudRequest.isUnreserved($0) }
    }
}
