import EventLoop

/// Calls at a fixed rate whatever comes back (open loop).
@Loop
enum Pacer {
    /// What was achieved.
    struct Outcome {
        let sent: Int
        let elapsed: Duration

        /// Calls a second.
        var rate: Double { Double(sent) / (elapsed.milliseconds / 1000) }
    }

    /// Calls `body` `rate` times a second for `duration`, several times in a row where a millisecond has several turns.
    static func run(rate: Double, for duration: Duration, _ body: @escaping @Loop () -> Void) async -> Outcome {
        let start = Loop.now
        var sent = 0
        let pause = Duration.nanoseconds(Int64(1e9 / rate))
        while true {
            let elapsed = Loop.now - start
            guard elapsed < duration else { return Outcome(sent: sent, elapsed: elapsed) }
            let due = Int(elapsed.milliseconds / 1000 * rate) + 1
            // No more than this at a time: a load that has fallen behind must still let the loop read.
            for _ in 0..<min(max(0, due - sent), 64) {
                body()
                sent += 1
            }
            if due - sent > 0 {
                await Task.yield()
            } else {
                try? await Loop.sleep(for: max(pause, .milliseconds(1)))
            }
        }
    }
}
