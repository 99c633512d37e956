internal import EventLoop

/// Tasks that wait for something to become true of a simulated device.
@Loop
final class LampWaiters<Subject> {
    private struct Waiter {
        let id: Int
        let condition: @Loop (Subject) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private var waiters: [Waiter] = []
    private var nextID = 0

    /// Resumes those whose condition holds.
    func check(_ subject: Subject) {
        guard !waiters.isEmpty else { return }
        var left: [Waiter] = []
        for waiter in waiters {
            if waiter.condition(subject) { waiter.continuation.resume() } else { left.append(waiter) }
        }
        waiters = left
    }

    func wait(_ subject: Subject, _ condition: @escaping @Loop (Subject) -> Bool) async {
        if condition(subject) { return }
        nextID += 1
        let id = nextID
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled { return continuation.resume() }
                waiters.append(Waiter(id: id, condition: condition, continuation: continuation))
            }
        } onCancel: {
            Loop.post { self.cancel(id) }
        }
    }

    private func cancel(_ id: Int) {
        guard let index = waiters.firstIndex(where: { $0.id == id }) else { return }
        waiters.remove(at: index).continuation.resume()
    }
}
