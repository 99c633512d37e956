import CUV
import Glibc

/// A TCP connection.
@Loop
package final class TCPConnection: ByteStream {
    /// Our end.
    package let localAddress: SocketAddress
    /// The peer's end.
    package let remoteAddress: SocketAddress

    /// Takes over a connected handle.
    init(adopting handle: UnsafeMutablePointer<uv_tcp_t>) {
        localAddress = unsafe Self.address(of: handle, uv_tcp_getsockname)
        remoteAddress = unsafe Self.address(of: handle, uv_tcp_getpeername)
        let stream = unsafe UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_stream_t.self)
        unsafe super.init(adopting: stream)
    }

    /// Connects within `deadline`.
    ///
    /// - Parameters:
    ///   - from: our address, where the machine has several; its port is usually 0.
    ///   - completion: called once with the connection or the reason why there is none, never before this returns, and
    ///     not at all after a `cancel`.
    /// - Returns: the attempt, which lives on without being held.
    @discardableResult
    package static func connect(
        to address: SocketAddress,
        from source: SocketAddress? = nil,
        options: TCPOptions = TCPOptions(),
        deadline: Duration,
        completion: @escaping @Loop (Result<TCPConnection, LoopError>) -> Void
    ) -> ConnectAttempt {
        let attempt = ConnectAttempt()
        TCPConnector.begin(attempt, to: address, from: source, options, deadline) { result in completion(result) }
        return attempt
    }

    /// Connects within `deadline`; the task's cancellation ends the attempt.
    package static func connect(
        to address: SocketAddress,
        from source: SocketAddress? = nil,
        options: TCPOptions = TCPOptions(),
        deadline: Duration
    ) async throws(LoopError) -> TCPConnection {
        try await ConnectAttempt.run { attempt, completion in
            TCPConnector.begin(attempt, to: address, from: source, options, deadline, completion)
        }
    }

    /// Breaks the connection off so that the peer sees a reset instead of an end.
    package func reset() {
        let lingering = unsafe withHandle { handle -> Bool in
            guard let descriptor = try? unsafe UVHandle.descriptor(handle) else { return false }
            var none = linger(l_onoff: 1, l_linger: 0)
            return unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &none, socklen_t(MemoryLayout<linger>.size))
                == 0
        }
        guard lingering != nil else { return }
        close()
    }

    private static func address(
        of handle: UnsafeMutablePointer<uv_tcp_t>,
        _ read: (UnsafePointer<uv_tcp_t>?, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<Int32>?) -> Int32
    ) -> SocketAddress {
        // Fails only where the peer has gone already; the stream's first read then says so.
        unsafe SocketAddress.read { unsafe read(handle, $0, $1) } ?? .anyIPv4(port: 0)
    }
}
