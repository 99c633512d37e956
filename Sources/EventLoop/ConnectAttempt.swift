/// A connection in the making.
///
/// Held by the loop until it ends, so that the caller holds it only in order to cancel.
@Loop
package final class ConnectAttempt {
    private var abandon: (@Loop () -> Void)?
    private var timer: LoopTimer?
    private(set) var isOver = false

    init() {}

    /// Gives the attempt up: the completion is not called any more.
    package func cancel() {
        let abandon = abandon
        end()
        abandon?()
    }

    /// Sets what a cancellation has to undo and what to do when the deadline passes.
    func begin(deadline: Duration, abandon: @escaping @Loop () -> Void, timedOut: @escaping @Loop () -> Void) {
        self.abandon = abandon
        timer = LoopTimer(after: deadline, timedOut)
    }

    /// Ends the attempt; false if it was over before.
    @discardableResult
    func end() -> Bool {
        guard !isOver else { return false }
        isOver = true
        abandon = nil
        timer = nil
        return true
    }

    /// Runs an attempt as a call that a task may wait for, and cancel.
    static func run<Connection: Sendable>(
        _ begin: @Loop (ConnectAttempt, @escaping @Loop (Result<Connection, LoopError>) -> Void) -> Void
    ) async throws(LoopError) -> Connection {
        let attempt = ConnectAttempt()
        let waiter = Waiter<Connection>()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiter.continuation = continuation
                if Task.isCancelled { return waiter.resume(.failure(.cancelled)) }
                begin(attempt) { waiter.resume($0) }
            }
        } onCancel: {
            Loop.post {
                attempt.cancel()
                waiter.resume(.failure(.cancelled))
            }
        }
        return try result.get()
    }
}

/// A continuation that is resumed once, by whoever comes first.
@Loop
private final class Waiter<Value: Sendable> {
    var continuation: CheckedContinuation<Result<Value, LoopError>, Never>?

    func resume(_ result: Result<Value, LoopError>) {
        let waiting = continuation
        continuation = nil
        waiting?.resume(returning: result)
    }
}
