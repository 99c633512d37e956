import CUV
import Glibc

/// A connection over a Unix socket, a pipe or an inherited descriptor.
@Loop
package final class PipeConnection: ByteStream {
    /// Takes over a pipe handle, which a spawn may still have to open.
    init(adopting handle: UnsafeMutablePointer<uv_pipe_t>) {
        let stream = unsafe UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_stream_t.self)
        unsafe super.init(adopting: stream)
    }

    /// Takes over an open descriptor of a pipe, socket or terminal, makes it non-blocking and closes it in the end,
    /// except for 0, 1 and 2.
    ///
    /// - Throws: ``LoopError/system(code:call:)`` with `EINVAL` for regular files, which no loop can wait for.
    package convenience init(descriptor: Int32) throws(LoopError) {
        switch uv_guess_handle(descriptor) {
        case UV_NAMED_PIPE, UV_TCP, UV_TTY: break
        default: throw .system(code: EINVAL, call: "pipe_open")
        }
        let handle = unsafe Self.makeHandle()
        let code = unsafe uv_pipe_open(handle, descriptor)
        guard code == 0 else {
            unsafe UVHandle.discard(handle)
            throw LoopError(uv: code, call: "pipe_open")
        }
        unsafe self.init(adopting: handle)
    }

    static func makeHandle() -> UnsafeMutablePointer<uv_pipe_t> {
        let handle = unsafe UVHandle.allocate(uv_pipe_t.self)
        // Cannot fail on Unix: it only fills the structure (libuv 1.44, uv_pipe_init).
        unsafe uv_pipe_init(Loop.shared.executor.loop, handle, 0)
        return unsafe handle
    }

    /// Connects to a listening Unix socket within `deadline`.
    ///
    /// - Parameter completion: called once with the connection or the reason why there is none, never before this
    ///   returns, and not at all after a `cancel`.
    /// - Returns: the attempt, which lives on without being held.
    @discardableResult
    package static func connect(
        path: String,
        deadline: Duration,
        completion: @escaping @Loop (Result<PipeConnection, LoopError>) -> Void
    ) -> ConnectAttempt {
        let attempt = ConnectAttempt()
        PipeConnector.begin(attempt, path: path, deadline, completion)
        return attempt
    }

    /// Connects to a listening Unix socket within `deadline`; the task's cancellation ends the attempt.
    package static func connect(path: String, deadline: Duration) async throws(LoopError) -> PipeConnection {
        try await ConnectAttempt.run { attempt, completion in
            PipeConnector.begin(attempt, path: path, deadline, completion)
        }
    }

    /// Refuses paths that do not fit a socket address, which libuv would cut off.
    static func checkLength(of path: String) throws(LoopError) {
        guard (1..<MemoryLayout.size(ofValue: sockaddr_un().sun_path)).contains(path.utf8.count) else {
            throw .system(code: ENAMETOOLONG, call: "sun_path")
        }
    }
}
