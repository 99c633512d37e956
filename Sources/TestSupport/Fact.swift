package import EventLoop

/// Lets a test wait for a condition instead of for time.
@Loop
package final class Fact {
    private var waiters: [(condition: @Loop () -> Bool, continuation: CheckedContinuation<Void, Never>)] = []

    package init() {}

    /// Looks at what is waited for again.
    package func changed() {
        let (due, waiting) = (waiters.filter { $0.condition() }, waiters.filter { !$0.condition() })
        waiters = waiting
        for waiter in due { waiter.continuation.resume() }
    }

    /// Returns as soon as the condition holds; it is looked at now and at each change.
    package func until(_ condition: @escaping @Loop () -> Bool) async {
        if condition() { return }
        await withCheckedContinuation { waiters.append((condition, $0)) }
    }
}
