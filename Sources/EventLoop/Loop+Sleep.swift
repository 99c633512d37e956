extension Loop {
    /// Waits for `duration` without holding the loop up.
    ///
    /// - Throws: ``LoopError/cancelled`` as soon as the task is cancelled.
    @Loop package static func sleep(for duration: Duration) async throws(LoopError) {
        let pause = Pause()
        let finished = await withTaskCancellationHandler {
            await withCheckedContinuation { pause.begin(duration, $0) }
        } onCancel: {
            post { pause.end(finished: false) }
        }
        if !finished { throw .cancelled }
    }
}

/// One sleep: its continuation is resumed once, by the timer or by cancellation, whichever comes first.
@Loop
private final class Pause {
    private var continuation: CheckedContinuation<Bool, Never>?
    private var timer: LoopTimer?
    private var isCancelled = false

    func begin(_ duration: Duration, _ continuation: CheckedContinuation<Bool, Never>) {
        guard !isCancelled else { return continuation.resume(returning: false) }
        self.continuation = continuation
        timer = LoopTimer(after: duration) { [self] in end(finished: true) }
    }

    func end(finished: Bool) {
        if !finished { isCancelled = true }
        // Also breaks the cycle of timer, closure and self.
        timer = nil
        let waiting = continuation
        continuation = nil
        waiting?.resume(returning: finished)
    }
}
