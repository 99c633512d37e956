import CUV
import Glibc

/// Accepts TCP connections at an address; dropping the last reference closes it, the connections stay.
@Loop
@safe package final class TCPListener {
    private var handle: UnsafeMutablePointer<uv_tcp_t>?
    private let options: TCPOptions
    private var onConnection: (@Loop (TCPConnection) -> Void)?
    /// Where the listener listens, with the port that the system chose if port 0 was asked for.
    package let address: SocketAddress

    /// Listens at an address.
    ///
    /// - Parameters:
    ///   - bind: the local address; port 0 lets the system choose.
    ///   - backlog: how many connections may wait to be accepted.
    ///   - reusePort: whether other sockets, of this or another process, may listen at the same address.
    ///   - options: for the accepted connections; `interface` is of no use here.
    ///   - onConnection: gets each connection, and owns it.
    package init(
        bind address: SocketAddress,
        backlog: Int32 = 128,
        reusePort: Bool = false,
        options: TCPOptions = TCPOptions(),
        onConnection: @escaping @Loop (TCPConnection) -> Void
    ) throws(LoopError) {
        let handle = unsafe UVHandle.allocate(uv_tcp_t.self)
        let code = unsafe uv_tcp_init_ex(Loop.shared.executor.loop, handle, SocketOption.family(of: address))
        guard code == 0 else {
            unsafe handle.deallocate()
            throw LoopError(uv: code, call: "socket")
        }
        do throws(LoopError) {
            if reusePort {
                try SocketOption.set(try unsafe UVHandle.descriptor(handle), SOL_SOCKET, SO_REUSEPORT, 1)
            }
            try LoopError.check(unsafe address.withRaw { unsafe uv_tcp_bind(handle, $0, 0) }, "bind")
            let stream = unsafe UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_stream_t.self)
            try LoopError.check(unsafe uv_listen(stream, backlog, tcpDidKnock), "listen")
        } catch {
            unsafe UVHandle.discard(handle)
            throw error
        }
        self.address = unsafe SocketAddress.read { unsafe uv_tcp_getsockname(handle, $0, $1) } ?? address
        self.options = options
        self.onConnection = onConnection
        unsafe self.handle = handle
        unsafe handle.pointee.data = Unmanaged.passUnretained(self).toOpaque()
    }

    isolated deinit {
        close()
    }

    /// Stops listening.
    package func close() {
        guard let handle = unsafe handle else { return }
        unsafe self.handle = nil
        onConnection = nil
        unsafe UVHandle.discard(handle)
    }

    fileprivate func accept() {
        guard let handle = unsafe handle, let onConnection else { return }
        let client = unsafe UVHandle.allocate(uv_tcp_t.self)
        unsafe uv_tcp_init(Loop.shared.executor.loop, client)
        let code = unsafe uv_accept(
            UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_stream_t.self),
            UnsafeMutableRawPointer(client).assumingMemoryBound(to: uv_stream_t.self)
        )
        guard code == 0, let descriptor = try? unsafe UVHandle.descriptor(client) else {
            return unsafe UVHandle.discard(client)
        }
        // Fails only where the peer has gone already; the stream's first read then says so.
        try? SocketOption.apply(options, to: descriptor)
        onConnection(unsafe TCPConnection(adopting: client))
    }
}

private func tcpDidKnock(_ handle: UnsafeMutablePointer<uv_stream_t>?, _ status: Int32) {
    // A failed accept (out of descriptors, gone peer) concerns one connection; the listener goes on.
    guard status == 0, let data = unsafe handle?.pointee.data else { return }
    let listener = unsafe Unmanaged<TCPListener>.fromOpaque(data).takeUnretainedValue()
    Loop.assumeIsolated { listener.accept() }
}
