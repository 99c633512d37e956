import EventLoop

/// Somebody who waits for an answer; told once, by the answer or by cancellation, whichever comes first.
@Loop
final class HTTPCall {
    /// The id of the transfer that works for it.
    var transfer: UInt?
    private var continuation: CheckedContinuation<Result<HTTPClient.Response, HTTPError>, Never>?
    private var early: Result<HTTPClient.Response, HTTPError>?

    /// Begins to wait; ends at once where the cancellation was faster.
    func begin(_ continuation: CheckedContinuation<Result<HTTPClient.Response, HTTPError>, Never>) {
        if let early { return continuation.resume(returning: early) }
        self.continuation = continuation
    }

    var isPending: Bool { continuation != nil }

    func end(_ result: Result<HTTPClient.Response, HTTPError>) {
        if continuation == nil { early = early ?? result }
        let waiting = continuation
        continuation = nil
        transfer = nil
        waiting?.resume(returning: result)
    }
}
