import TuyaProtocol

/// What all sessions of a house share: times, and where chance and the clock come from.
package final class SessionRules: Sendable {
    package let times: SessionTimes
    /// 16 bytes that nobody can foresee, new for each negotiation.
    let makeNonce: @Sendable () -> [UInt8]
    /// Unix time in seconds.
    let unixTime: @Sendable () -> Int64

    package init(
        times: SessionTimes,
        makeNonce: @escaping @Sendable () -> [UInt8] = SessionRules.systemNonce,
        unixTime: @escaping @Sendable () -> Int64
    ) {
        self.times = times
        self.makeNonce = makeNonce
        self.unixTime = unixTime
    }

    /// A nonce from the system's generator.
    package static let systemNonce: @Sendable () -> [UInt8] = {
        var random = SystemRandomNumberGenerator()
        return (0..<Negotiation.nonceCount).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    }
}
