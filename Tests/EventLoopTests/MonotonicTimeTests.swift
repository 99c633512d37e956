import EventLoop
import Testing

@Suite("MonotonicTime")
struct MonotonicTimeTests {
    @Test("sums and differences agree, also backwards")
    func arithmetic() {
        let start = MonotonicTime(nanoseconds: 1_000)
        #expect((start + .nanoseconds(500)) - start == .nanoseconds(500))
        #expect(start - (start + .seconds(2)) == .seconds(-2))
        #expect(start + .nanoseconds(-400) == MonotonicTime(nanoseconds: 600))
        #expect(start - .nanoseconds(400) == MonotonicTime(nanoseconds: 600))
    }

    @Test("a sum beyond the clock's range stays at its end")
    func saturation() {
        #expect(MonotonicTime(nanoseconds: .max - 1) + .seconds(1) == MonotonicTime(nanoseconds: .max))
        #expect(MonotonicTime(nanoseconds: 5) + .seconds(-1) == MonotonicTime(nanoseconds: 0))
        #expect(Duration.seconds(Int64.max).wholeNanoseconds == .max)
        #expect(Duration.seconds(Int64.min).wholeNanoseconds == .min)
    }

    @Test("the clock does not go back")
    func monotonic() {
        let first = MonotonicTime.now
        #expect(MonotonicTime.now >= first)
    }
}
