import EventLoop
import PluginHost
import Testing

@Suite("RestartPolicy")
struct RestartPolicyTests {
    private static let start = MonotonicTime(nanoseconds: 1_000_000_000_000)

    private static func patient() -> RestartPolicy {
        var rules = RestartPolicy.Rules()
        rules.quarantineCrashes = 100
        return RestartPolicy(rules)
    }

    @Test("the first restart is at once, then after 1, 2, 4 … 60 seconds")
    func growth() {
        var policy = Self.patient()
        let delays = (0..<9).map { _ in policy.crashed(at: Self.start, chance: 0) }
        #expect(delays == [0, 1, 2, 4, 8, 16, 32, 60, 60].map { .restart(after: .seconds($0)) })
    }

    @Test("chance takes away at most a quarter, and nothing from nothing")
    func jitter() {
        var policy = Self.patient()
        #expect(policy.crashed(at: Self.start, chance: 0.999) == .restart(after: .zero))
        guard case .restart(let delay) = policy.crashed(at: Self.start, chance: 0.999) else {
            Issue.record("quarantined")
            return
        }
        #expect(delay > .milliseconds(750) && delay < .milliseconds(751))
    }

    @Test("a stable run resets the delay")
    func stable() {
        var policy = Self.patient()
        for _ in 0..<5 { _ = policy.crashed(at: Self.start, chance: 0) }
        policy.becameStable()
        #expect(policy.crashed(at: Self.start, chance: 0) == .restart(after: .zero))
    }

    @Test("the fifth crash within ten minutes is quarantine, also with stable runs in between")
    func quarantine() {
        var policy = RestartPolicy()
        for number in 0..<4 {
            let decision = policy.crashed(at: Self.start + .seconds(120 * number), chance: 0)
            #expect(decision == .restart(after: .zero))
            policy.becameStable()
        }
        #expect(policy.crashed(at: Self.start + .seconds(599), chance: 0) == .quarantine(retryAfter: .seconds(300)))
        #expect(policy.isQuarantined)
    }

    @Test("crashes older than ten minutes do not count")
    func window() {
        var policy = RestartPolicy()
        for number in 0..<20 {
            policy.becameStable()
            let decision = policy.crashed(at: Self.start + .seconds(151 * number), chance: 0)
            #expect(decision == .restart(after: .zero))
        }
    }

    @Test("in quarantine each try that crashes is followed by the same wait, the first that lasts ends it")
    func halfOpen() {
        var policy = RestartPolicy()
        for _ in 0..<5 { _ = policy.crashed(at: Self.start, chance: 0) }
        for number in 1...50 {
            let decision = policy.crashed(at: Self.start + .seconds(1000 * number), chance: 0)
            #expect(decision == .quarantine(retryAfter: .seconds(300)))
        }
        policy.becameStable()
        #expect(!policy.isQuarantined)
        #expect(policy.crashed(at: Self.start + .seconds(60_000), chance: 0) == .restart(after: .zero))
    }
}
