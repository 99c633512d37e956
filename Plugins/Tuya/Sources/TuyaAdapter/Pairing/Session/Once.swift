import EventLoop

/// Something that happens once, and one who waits for it.
@Loop
final class Once<Value: Sendable> {
    private var value: Value?
    private var waiter: CheckedContinuation<Value?, Never>?
    private var timer: LoopTimer?

    init() {}

    /// It has happened; only the first time counts.
    func happen(_ value: Value) {
        guard self.value == nil else { return }
        self.value = value
        resume(value)
    }

    /// Waits for it; nil after `limit`, and as soon as the task is cancelled.
    func wait(within limit: Duration) async -> Value? {
        if let value { return value }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled { return continuation.resume(returning: nil) }
                waiter = continuation
                timer = LoopTimer(after: limit) { [weak self] in self?.resume(nil) }
            }
        } onCancel: {
            Loop.post { self.resume(nil) }
        }
    }

    private func resume(_ value: Value?) {
        timer = nil
        let waiting = waiter
        waiter = nil
        waiting?.resume(returning: value)
    }
}
