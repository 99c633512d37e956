import EventLoop

/// Lets a test wait for a fact instead of for time, and gives up where it does not come.
///
/// Whoever changes something that a test may wait for says so with ``changed()``.
@Loop
final class Facts {
    /// A fact that did not come.
    struct Overdue: Error, CustomStringConvertible {
        let description: String
    }

    private struct Waiter {
        let id: Int
        let condition: @Loop () -> Bool
        let continuation: CheckedContinuation<Bool, Never>
        let timer: LoopTimer
    }

    /// Long enough for a machine that does much else.
    static let patience = Duration.seconds(45)

    private var waiters: [Waiter] = []
    private var nextID = 0

    /// Looks at what is waited for again.
    func changed() {
        guard !waiters.isEmpty else { return }
        var left: [Waiter] = []
        var due: [Waiter] = []
        for waiter in waiters {
            if waiter.condition() { due.append(waiter) } else { left.append(waiter) }
        }
        waiters = left
        for waiter in due {
            waiter.timer.cancel()
            waiter.continuation.resume(returning: true)
        }
    }

    /// Returns as soon as the condition holds; it is looked at now, at each change and at the end of the patience.
    ///
    /// - Throws: ``Overdue`` with `what` after `patience`.
    func until(
        _ what: @autoclosure () -> String,
        within patience: Duration = Facts.patience,
        _ condition: @escaping @Loop () -> Bool
    ) async throws(Overdue) {
        if condition() { return }
        nextID += 1
        let id = nextID
        let hasCome = await withCheckedContinuation { continuation in
            let timer = LoopTimer(after: patience) { [weak self] in self?.giveUp(id) }
            waiters.append(Waiter(id: id, condition: condition, continuation: continuation, timer: timer))
        }
        guard hasCome else { throw Overdue(description: "not within \(patience): \(what())") }
    }

    /// The same for facts of the system that nobody tells of: looks every few milliseconds.
    func polling(
        _ what: @autoclosure () -> String,
        within patience: Duration = Facts.patience,
        _ condition: @escaping @Loop () -> Bool
    ) async throws {
        let end = Loop.now + patience
        while !condition() {
            guard Loop.now < end else { throw Overdue(description: "not within \(patience): \(what())") }
            try await Loop.sleep(for: .milliseconds(3))
        }
    }

    private func giveUp(_ id: Int) {
        guard let index = waiters.firstIndex(where: { $0.id == id }) else { return }
        let waiter = waiters.remove(at: index)
        waiter.continuation.resume(returning: waiter.condition())
    }
}
