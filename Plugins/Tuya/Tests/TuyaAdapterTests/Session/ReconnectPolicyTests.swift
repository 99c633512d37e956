import Testing
import TuyaAdapter

@Suite("Delays before reconnecting")
struct ReconnectPolicyTests {
    private let times = SessionTimes()

    @Test("failures climb from one second to a minute, a fifth more or less")
    func ladder() {
        var policy = ReconnectPolicy(seed: 1)
        for expected in [1, 2, 5, 10, 30, 60, 60, 60] {
            let delay = policy.delay(after: .failed, times)
            #expect(delay >= .seconds(expected) * 4 / 5 && delay <= .seconds(expected) * 6 / 5)
        }
    }

    @Test("a session of ten seconds that drops is tried again within 0.1 to 0.6 seconds, spread over all of it")
    func quick() {
        var delays: [Duration] = []
        for seed in 0..<500 as Range<UInt64> {
            var policy = ReconnectPolicy(seed: seed)
            delays.append(policy.delay(after: .dropped(after: .seconds(10)), times))
        }
        #expect(delays.allSatisfy { $0 >= .milliseconds(100) && $0 <= .milliseconds(600) })
        for tenth in 0..<10 {
            let slot = Duration.milliseconds(100 + 50 * tenth)...Duration.milliseconds(150 + 50 * tenth)
            #expect(delays.count { slot.contains($0) } > 20, "no herd")
        }
    }

    @Test("a shorter session climbs; a stable one makes later delays short again")
    func reset() {
        var policy = ReconnectPolicy(seed: 1)
        for _ in 0..<6 { _ = policy.delay(after: .failed, times) }
        #expect(policy.delay(after: .dropped(after: .seconds(3)), times) > .seconds(40))
        _ = policy.delay(after: .dropped(after: .seconds(30)), times)
        #expect(policy.delay(after: .failed, times) > .seconds(40), "half a minute is not stable")
        _ = policy.delay(after: .dropped(after: .seconds(60)), times)
        #expect(policy.delay(after: .failed, times) < .seconds(2))
    }

    @Test("other endings have their own delays")
    func others() {
        var policy = ReconnectPolicy(seed: 1)
        #expect(policy.delay(after: .negotiationFailed, times) >= .seconds(4))
        #expect((Duration.seconds(24)...Duration.seconds(36)).contains(policy.delay(after: .held, times)))
        #expect((Duration.seconds(240)...Duration.seconds(360)).contains(policy.delay(after: .keyRefused, times)))
        #expect(
            (Duration.milliseconds(800)...Duration.milliseconds(1200)).contains(policy.delay(after: .deadKey, times))
        )
        #expect(policy.delay(after: .moved, times) <= .milliseconds(100))
        #expect(policy.delay(after: .asleep, times) == .seconds(1))
    }
}
