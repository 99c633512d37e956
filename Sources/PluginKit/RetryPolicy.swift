/// How long to wait before the next try: longer after each failure, and never at the same moment as everybody else.
///
/// ```swift
/// let policy = RetryPolicy(first: .seconds(1), longest: .seconds(60))
/// timer = LoopTimer(after: policy.delay(afterFailures: failures)) { … }
/// ```
public struct RetryPolicy: Sendable, Equatable {
    /// The delay after the first failure, before jitter.
    public var first: Duration
    /// What the delay grows by with each further failure; at least 1.
    public var factor: Double
    /// The longest delay, before jitter.
    public var longest: Duration
    /// The part of the delay that is left to chance, 0...1: 0.5 gives half to all of it.
    public var jitter: Double

    /// Makes a policy.
    ///
    /// - Precondition: `first` is not negative, `longest` not shorter, `factor` at least 1, `jitter` within 0...1.
    public init(first: Duration, factor: Double = 2, longest: Duration, jitter: Double = 0.5) {
        precondition(first >= .zero && longest >= first && factor >= 1 && (0...1).contains(jitter))
        self.first = first
        self.factor = factor
        self.longest = longest
        self.jitter = jitter
    }

    /// The longest that ``delay(afterFailures:)`` may give.
    ///
    /// - Parameter failures: how many tries have failed in a row; 0 and 1 are the same.
    public func ceiling(afterFailures failures: Int) -> Duration {
        var delay = first
        // Any growth worth the name reaches the longest within a thousand steps.
        for _ in 0..<min(max(0, failures - 1), 1000) {
            guard delay < longest else { break }
            delay = delay * factor
        }
        return min(delay, longest)
    }

    /// A delay by chance within the policy.
    public func delay(afterFailures failures: Int) -> Duration {
        var system = SystemRandomNumberGenerator()
        return delay(afterFailures: failures, using: &system)
    }

    /// A delay within the policy, by the given chance.
    public func delay(afterFailures failures: Int, using chance: inout some RandomNumberGenerator) -> Duration {
        ceiling(afterFailures: failures) * (1 - jitter * Double.random(in: 0..<1, using: &chance))
    }
}
