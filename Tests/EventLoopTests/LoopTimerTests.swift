import EventLoop
import Testing

@Suite("LoopTimer", .timeLimit(.minutes(1)))
struct LoopTimerTests {
    @Test("timers fire in the order of their moments, equal ones in the order of their making")
    @Loop func order() async {
        let delays = (0..<500).map { ($0 * 7919) % 40 }
        var fired: [Int] = []
        var timers: [LoopTimer] = []
        let start = Loop.now
        await withCheckedContinuation { continuation in
            for (index, delay) in delays.enumerated() {
                timers.append(
                    LoopTimer(at: start + .milliseconds(delay)) {
                        fired.append(index)
                        if fired.count == delays.count { continuation.resume() }
                    }
                )
            }
        }
        #expect(fired == delays.indices.sorted { (delays[$0], $0) < (delays[$1], $1) })
        withExtendedLifetime(timers) {}
    }

    @Test("a timer is never early")
    @Loop func punctual() async throws {
        for milliseconds in [0, 1, 3, 10] {
            let started = Loop.now
            try await Loop.sleep(for: .milliseconds(milliseconds))
            #expect(Loop.now - started >= .milliseconds(milliseconds))
        }
    }

    @Test("a timer that is cancelled in another's callback does not fire, even if it is due")
    @Loop func cancelInCallback() async throws {
        var fired: [String] = []
        var second: LoopTimer?
        let first = LoopTimer(after: .milliseconds(1)) {
            fired.append("first")
            second?.cancel()
        }
        second = LoopTimer(after: .milliseconds(1)) { fired.append("second") }
        // Both are due when the loop gets to them.
        let started = Loop.now
        while Loop.now - started < .milliseconds(5) {}
        try await Loop.sleep(for: .milliseconds(5))
        #expect(fired == ["first"])
        withExtendedLifetime((first, second)) {}
    }

    @Test("a dropped timer does not fire and gives up what its closure holds")
    @Loop func dropped() async throws {
        var fired = false
        weak var held: Token?
        do {
            let token = Token()
            held = token
            let timer = LoopTimer(after: .milliseconds(1)) {
                fired = true
                withExtendedLifetime(token) {}
            }
            #expect(timer.isActive)
        }
        #expect(held == nil)
        try await Loop.sleep(for: .milliseconds(5))
        #expect(!fired)
    }

    @Test("a repeating timer fires until it is cancelled from its own callback")
    @Loop func repeating() async {
        var count = 0
        var timer: LoopTimer?
        await withCheckedContinuation { continuation in
            timer = LoopTimer(after: .milliseconds(1), every: .milliseconds(1)) {
                count += 1
                if count == 5 {
                    timer?.cancel()
                    continuation.resume()
                }
            }
        }
        #expect(count == 5)
        #expect(timer?.isActive == false)
    }

    @Test("a timer whose closure drops it goes without harm")
    @Loop func dropsItself() async {
        var timer: LoopTimer?
        await withCheckedContinuation { continuation in
            timer = LoopTimer(after: .milliseconds(1), every: .milliseconds(1)) {
                timer = nil
                continuation.resume()
            }
        }
        #expect(timer == nil)
    }

    @Test("timers cancelled in any order leave the others in order")
    @Loop func cancelMany() async {
        var timers: [Int: LoopTimer] = [:]
        var fired: [Int] = []
        let start = Loop.now
        await withCheckedContinuation { continuation in
            for index in 0..<300 {
                timers[index] = LoopTimer(at: start + .milliseconds((index * 31) % 17)) { fired.append(index) }
            }
            for index in 0..<300 where index % 3 != 0 { timers.removeValue(forKey: index) }
            timers[-1] = LoopTimer(at: start + .milliseconds(40)) { continuation.resume() }
        }
        #expect(fired.count == 100)
        #expect(fired == fired.sorted { (($0 * 31) % 17, $0) < (($1 * 31) % 17, $1) })
    }
}

private final class Token: Sendable {}
