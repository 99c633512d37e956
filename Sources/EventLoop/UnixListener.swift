import CUV

/// Accepts connections at a path of the file system; dropping the last reference closes it and removes the path.
@Loop
@safe package final class UnixListener {
    private var handle: UnsafeMutablePointer<uv_pipe_t>?
    private var onConnection: (@Loop (PipeConnection) -> Void)?
    /// Where the listener listens.
    package let path: String

    /// Listens at a path of at most 107 bytes, which must not exist.
    ///
    /// - Parameter onConnection: gets each connection, and owns it.
    /// - Throws: ``LoopError/addressInUse`` where something is at the path, be it a socket that nobody serves any more.
    package init(
        path: String,
        backlog: Int32 = 128,
        onConnection: @escaping @Loop (PipeConnection) -> Void
    ) throws(LoopError) {
        try PipeConnection.checkLength(of: path)
        let handle = unsafe PipeConnection.makeHandle()
        do throws(LoopError) {
            try LoopError.check(unsafe uv_pipe_bind(handle, path), "bind")
            let stream = unsafe UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_stream_t.self)
            try LoopError.check(unsafe uv_listen(stream, backlog, pipeDidKnock), "listen")
        } catch {
            unsafe UVHandle.discard(handle)
            throw error
        }
        self.path = path
        self.onConnection = onConnection
        unsafe self.handle = handle
        unsafe handle.pointee.data = Unmanaged.passUnretained(self).toOpaque()
    }

    isolated deinit {
        close()
    }

    /// Stops listening and removes the path.
    package func close() {
        guard let handle = unsafe handle else { return }
        unsafe self.handle = nil
        onConnection = nil
        unsafe UVHandle.discard(handle)
    }

    fileprivate func accept() {
        guard let handle = unsafe handle, let onConnection else { return }
        let client = unsafe PipeConnection.makeHandle()
        let code = unsafe uv_accept(
            UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_stream_t.self),
            UnsafeMutableRawPointer(client).assumingMemoryBound(to: uv_stream_t.self)
        )
        guard code == 0 else { return unsafe UVHandle.discard(client) }
        onConnection(unsafe PipeConnection(adopting: client))
    }
}

private func pipeDidKnock(_ handle: UnsafeMutablePointer<uv_stream_t>?, _ status: Int32) {
    // A failed accept concerns one connection; the listener goes on.
    guard status == 0, let data = unsafe handle?.pointee.data else { return }
    let listener = unsafe Unmanaged<UnixListener>.fromOpaque(data).takeUnretainedValue()
    Loop.assumeIsolated { listener.accept() }
}
