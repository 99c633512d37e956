/// A timer of the loop: fires once after `after`, then every `every` if that is given.
///
/// Never early; late by at most a millisecond plus what the loop is busy with. Timers fire in the order of their moments
/// and, for equal moments, in the order in which they were made. The owner of the timer holds it: dropping the last
/// reference cancels, so a timer that must fire is kept.
@Loop
package final class LoopTimer {
    /// Where this timer is in the queue; nil when it is not scheduled.
    var slot: Int?

    /// Starts a timer.
    ///
    /// - Parameters:
    ///   - after: the time until the first firing; zero or less means the next whole millisecond.
    ///   - every: the time between firings, at least a millisecond; nil for a single one. Firings that were missed are
    ///     not made up for.
    ///   - fire: called on the loop; may cancel this and any other timer and start new ones.
    package init(after: Duration, every: Duration? = nil, _ fire: @escaping @Loop () -> Void) {
        TimerQueue.schedule(self, at: .now + after, every: every, fire)
    }

    /// Starts a timer that fires once, at `moment` or, where that has passed, at the next whole millisecond.
    package init(at moment: MonotonicTime, _ fire: @escaping @Loop () -> Void) {
        TimerQueue.schedule(self, at: moment, every: nil, fire)
    }

    isolated deinit {
        cancel()
    }

    /// Whether the timer will fire again.
    package var isActive: Bool { slot != nil }

    /// Stops the timer; it does not fire after this, not even in the same turn of the loop.
    package func cancel() {
        TimerQueue.remove(self)
    }
}
