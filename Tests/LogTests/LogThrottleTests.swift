import Log
import Testing

@Suite("Log throttle")
struct LogThrottleTests {
    private let second: UInt64 = 1_000_000_000

    @Test("so many pass an interval, then the number left out is told")
    func limits() {
        var throttle = LogThrottle<String>(limit: 2, interval: .seconds(10))
        #expect(throttle.admit("a", at: 0) == .pass(suppressed: 0))
        #expect(throttle.admit("a", at: second) == .pass(suppressed: 0))
        #expect(throttle.admit("a", at: 2 * second) == .suppress)
        #expect(throttle.admit("b", at: 2 * second) == .pass(suppressed: 0))
        #expect(throttle.admit("a", at: 10 * second - 1) == .suppress)
        #expect(throttle.admit("a", at: 10 * second) == .pass(suppressed: 2))
        #expect(throttle.admit("a", at: 10 * second) == .pass(suppressed: 0))
        #expect(throttle.admit("a", at: 10 * second) == .suppress)
        #expect(throttle.admit("a", at: 100 * second) == .pass(suppressed: 1))
    }

    @Test("what was left out is told even if it never comes again")
    func expired() {
        var throttle = LogThrottle<String>(limit: 1, interval: .milliseconds(500))
        for time in 0..<5 { _ = throttle.admit("a", at: UInt64(time)) }
        _ = throttle.admit("b", at: 0)
        #expect(throttle.expired(at: 499_999_999).isEmpty)
        let told = throttle.expired(at: 500_000_000)
        #expect(told.map(\.key) == ["a"] && told.map(\.suppressed) == [4])
        #expect(throttle.expired(at: 600_000_000).isEmpty)
        #expect(throttle.admit("a", at: 600_000_000) == .pass(suppressed: 0))
    }

    @Test("many keys do not fill the memory: the oldest are forgotten")
    func capacity() {
        var throttle = LogThrottle<Int>(limit: 1, interval: .seconds(1), capacity: 3)
        for key in 0..<4 { #expect(throttle.admit(key, at: UInt64(key)) == .pass(suppressed: 0)) }
        #expect(throttle.admit(3, at: 4) == .suppress)
        #expect(throttle.admit(1, at: 4) == .suppress)
        #expect(throttle.admit(0, at: 4) == .pass(suppressed: 0))
    }

    @Test("a clock that goes back does not open the gate")
    func clockBack() {
        var throttle = LogThrottle<Int>(limit: 1, interval: .seconds(1))
        _ = throttle.admit(1, at: 5 * second)
        #expect(throttle.admit(1, at: 0) == .suppress)
    }

    @Test("an interval beyond all clocks is for ever")
    func forever() {
        var throttle = LogThrottle<Int>(limit: 1, interval: .seconds(Int64.max))
        _ = throttle.admit(1, at: 0)
        #expect(throttle.admit(1, at: .max - 1) == .suppress)
    }
}
