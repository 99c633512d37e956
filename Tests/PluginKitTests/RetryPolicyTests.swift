import PluginKit
import Testing

@Suite("RetryPolicy")
struct RetryPolicyTests {
    private static let policy = RetryPolicy(first: .seconds(1), longest: .seconds(60), jitter: 0.5)

    /// Always gives the same word.
    private struct Fixed: RandomNumberGenerator {
        var word: UInt64
        mutating func next() -> UInt64 { word }
    }

    @Test(
        "the delay doubles from the first to the longest",
        arguments: [(0, 1), (1, 1), (2, 2), (3, 4), (6, 32), (7, 60), (1_000_000, 60), (-3, 1)]
    )
    func growth(failures: Int, seconds: Int) {
        #expect(Self.policy.ceiling(afterFailures: failures) == .seconds(seconds))
    }

    @Test("chance takes away at most the jitter's part", arguments: [1, 4, 9])
    func jitter(failures: Int) {
        let ceiling = Self.policy.ceiling(afterFailures: failures)
        var least = Fixed(word: 0)
        var most = Fixed(word: .max)
        #expect(Self.policy.delay(afterFailures: failures, using: &least) == ceiling)
        #expect(Self.policy.delay(afterFailures: failures, using: &most) <= ceiling * 0.500_001)
        for _ in 0..<100 {
            #expect((ceiling * 0.5...ceiling).contains(Self.policy.delay(afterFailures: failures)))
        }
    }

    @Test("a policy that does not grow stays, and a delay of nothing is none")
    func constant() {
        let constant = RetryPolicy(first: .seconds(1), factor: 1, longest: .seconds(60), jitter: 0)
        #expect(constant.delay(afterFailures: 1_000_000_000) == .seconds(1))
        let none = RetryPolicy(first: .zero, longest: .seconds(1))
        #expect(none.delay(afterFailures: 50) == .zero)
    }
}
