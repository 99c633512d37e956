import CUV

/// Brings one connection to a Unix socket about; holds itself until libuv has called back.
@Loop
@safe final class PipeConnector {
    private let attempt: ConnectAttempt
    private let path: String
    private let completion: @Loop (Result<PipeConnection, LoopError>) -> Void
    /// nil once it is handed on or given up.
    private var handle: UnsafeMutablePointer<uv_pipe_t>?

    private init(
        _ attempt: ConnectAttempt,
        _ path: String,
        _ completion: @escaping @Loop (Result<PipeConnection, LoopError>) -> Void
    ) {
        self.attempt = attempt
        self.path = path
        self.completion = completion
    }

    static func begin(
        _ attempt: ConnectAttempt,
        path: String,
        _ deadline: Duration,
        _ completion: @escaping @Loop (Result<PipeConnection, LoopError>) -> Void
    ) {
        let connector = PipeConnector(attempt, path, completion)
        attempt.begin(
            deadline: deadline,
            abandon: { connector.discard() },
            timedOut: { connector.finish(.failure(.timedOut(after: deadline))) }
        )
        do throws(LoopError) {
            try PipeConnection.checkLength(of: path)
        } catch {
            return Loop.nextTick { connector.finish(.failure(error)) }
        }
        let handle = unsafe PipeConnection.makeHandle()
        unsafe connector.handle = handle
        let request = unsafe UVHandle.allocate(uv_connect_t.self)
        unsafe request.pointee.data = Unmanaged.passRetained(connector).toOpaque()
        unsafe uv_pipe_connect(request, handle, path, pipeDidConnect)
    }

    fileprivate func didConnect(_ status: Int32) {
        guard status == 0, let handle = unsafe handle, !attempt.isOver else {
            return finish(.failure(LoopError(uv: status, call: path)))
        }
        unsafe self.handle = nil
        unsafe finish(.success(PipeConnection(adopting: handle)))
    }

    private func finish(_ result: Result<PipeConnection, LoopError>) {
        guard attempt.end() else { return }
        discard()
        completion(result)
    }

    private func discard() {
        guard let handle = unsafe handle else { return }
        unsafe self.handle = nil
        unsafe UVHandle.discard(handle)
    }
}

private func pipeDidConnect(_ request: UnsafeMutablePointer<uv_connect_t>?, _ status: Int32) {
    guard let data = unsafe request?.pointee.data else { return }
    let connector = unsafe Unmanaged<PipeConnector>.fromOpaque(data).takeRetainedValue()
    unsafe request?.deallocate()
    Loop.assumeIsolated { connector.didConnect(status) }
}
