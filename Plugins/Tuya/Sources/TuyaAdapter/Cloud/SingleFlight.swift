import EventLoop

/// Does a piece of work once for all who want its result at the same time.
///
/// Whoever waits may give up, by deadline or cancellation; the work goes on for the others and bounds its own time.
@Loop
final class SingleFlight<Value: Sendable> {
    typealias Outcome = Result<Value, CloudError>

    private struct Waiter {
        let continuation: CheckedContinuation<Outcome, Never>
        let timer: LoopTimer
    }

    private var waiters: [Int: Waiter] = [:]
    private var lastID = 0
    private var task: Task<Void, Never>?

    /// Waits for the work that is under way, or starts it.
    func value(
        within deadline: Duration,
        _ work: @escaping @Loop () async -> Outcome
    ) async throws(CloudError) -> Value {
        lastID += 1
        let id = lastID
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let timer = LoopTimer(after: deadline) { [weak self] in self?.end(id, .failure(.late)) }
                waiters[id] = Waiter(continuation: continuation, timer: timer)
                if task == nil { start(work) }
            }
        } onCancel: {
            Loop.post { self.end(id, .failure(.cancelled)) }
        }
        return try outcome.get()
    }

    private func start(_ work: @escaping @Loop () async -> Outcome) {
        task = Task { @Loop in
            let outcome = await work()
            task = nil
            for id in waiters.keys.sorted() { end(id, outcome) }
        }
    }

    private func end(_ id: Int, _ outcome: Outcome) {
        waiters.removeValue(forKey: id)?.continuation.resume(returning: outcome)
    }
}
