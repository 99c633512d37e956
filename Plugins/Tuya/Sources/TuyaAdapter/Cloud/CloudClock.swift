import JSON

/// How far the cloud's clock is from ours, learned from its answers.
struct CloudClock: Equatable, Sendable {
    /// From here on the cloud refuses signatures; a person should set the clock.
    static let tolerance: Int64 = 5 * 60 * 1000

    /// Milliseconds by which the cloud is ahead of us; nil until it has answered.
    private(set) var ahead: Int64?

    /// What to sign with.
    func time(_ unixMilliseconds: Int64) -> String { "\(unixMilliseconds + (ahead ?? 0))" }

    /// Learns from an answer that just came.
    ///
    /// - Returns: whether it told the time.
    @discardableResult
    mutating func learn(_ reply: JSON, at unixMilliseconds: Int64) -> Bool {
        guard let time = reply["t"].flatMap({ CloudReading.number($0) }),
            (100_000_000_000...9_999_999_999_999).contains(time)
        else {
            return false
        }
        ahead = Int64(time) - unixMilliseconds
        return true
    }

    /// In words, such as `7 min behind the cloud's`; nil where it is right.
    var words: String? {
        guard let ahead, ahead.magnitude > UInt64(Self.tolerance) else { return nil }
        let minutes = ahead.magnitude / 60_000
        let span = minutes < 120 ? "\(minutes) min" : minutes < 2880 ? "\(minutes / 60) h" : "\(minutes / 1440) days"
        return "\(span) \(ahead > 0 ? "behind" : "ahead of") the cloud's"
    }
}
