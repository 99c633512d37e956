package import EventLoop
import HomeModel

/// The clocks that a cloud client lives by; tests put their own in.
@Loop
package struct CloudTimes {
    /// For lives and deadlines.
    package var now: @Loop () -> MonotonicTime
    /// The time of day in milliseconds, for signatures.
    package var unixMilliseconds: @Loop () -> Int64
    package var sleep: @Loop (Duration) async throws(LoopError) -> Void

    package init(
        now: @escaping @Loop () -> MonotonicTime = { .now },
        unixMilliseconds: @escaping @Loop () -> Int64 = { WallClock.now.milliseconds },
        sleep: @escaping @Loop (Duration) async throws(LoopError) -> Void = { (time) throws(LoopError) in
            try await Loop.sleep(for: time)
        }
    ) {
        self.now = now
        self.unixMilliseconds = unixMilliseconds
        self.sleep = sleep
    }
}
