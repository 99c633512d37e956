import CUV

/// Brings one TCP connection about; holds itself until libuv has called back.
@Loop
@safe final class TCPConnector {
    private let attempt: ConnectAttempt
    private let completion: @Loop (Result<TCPConnection, LoopError>) -> Void
    /// nil once it is handed on or given up.
    private var handle: UnsafeMutablePointer<uv_tcp_t>?

    private init(_ attempt: ConnectAttempt, _ completion: @escaping @Loop (Result<TCPConnection, LoopError>) -> Void) {
        self.attempt = attempt
        self.completion = completion
    }

    static func begin(
        _ attempt: ConnectAttempt,
        to address: SocketAddress,
        from source: SocketAddress?,
        _ options: TCPOptions,
        _ deadline: Duration,
        _ completion: @escaping @Loop (Result<TCPConnection, LoopError>) -> Void
    ) {
        let connector = TCPConnector(attempt, completion)
        attempt.begin(
            deadline: deadline,
            abandon: { connector.discard() },
            timedOut: { connector.finish(.failure(.timedOut(after: deadline))) }
        )
        do throws(LoopError) {
            try connector.start(to: address, from: source, options)
        } catch {
            Loop.nextTick { connector.finish(.failure(error)) }
        }
    }

    private func start(to address: SocketAddress, from source: SocketAddress?, _ options: TCPOptions) throws(LoopError)
    {
        let handle = unsafe UVHandle.allocate(uv_tcp_t.self)
        let code = unsafe uv_tcp_init_ex(Loop.shared.executor.loop, handle, SocketOption.family(of: address))
        guard code == 0 else {
            unsafe handle.deallocate()
            throw LoopError(uv: code, call: "socket")
        }
        unsafe self.handle = handle
        let descriptor = try unsafe UVHandle.descriptor(handle)
        try SocketOption.apply(options, to: descriptor)
        if let interface = options.interface { try SocketOption.bind(descriptor, toInterface: interface) }
        if let source {
            try LoopError.check(unsafe source.withRaw { unsafe uv_tcp_bind(handle, $0, 0) }, "bind")
        }
        let request = unsafe UVHandle.allocate(uv_connect_t.self)
        unsafe request.pointee.data = Unmanaged.passRetained(self).toOpaque()
        let begun = unsafe address.withRaw { unsafe uv_tcp_connect(request, handle, $0, tcpDidConnect) }
        guard begun < 0 else { return }
        unsafe Unmanaged.passUnretained(self).release()
        unsafe request.deallocate()
        throw LoopError(uv: begun, call: "connect")
    }

    fileprivate func didConnect(_ status: Int32) {
        guard status == 0, let handle = unsafe handle, !attempt.isOver else {
            return finish(.failure(LoopError(uv: status, call: "connect")))
        }
        unsafe self.handle = nil
        unsafe finish(.success(TCPConnection(adopting: handle)))
    }

    private func finish(_ result: Result<TCPConnection, LoopError>) {
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

private func tcpDidConnect(_ request: UnsafeMutablePointer<uv_connect_t>?, _ status: Int32) {
    guard let data = unsafe request?.pointee.data else { return }
    let connector = unsafe Unmanaged<TCPConnector>.fromOpaque(data).takeRetainedValue()
    unsafe request?.deallocate()
    Loop.assumeIsolated { connector.didConnect(status) }
}
