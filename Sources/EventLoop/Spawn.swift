import CUV
import Glibc

/// The C side of starting a process.
@Loop
struct Spawn {
    var executable: String
    var arguments: [String]
    var environment: [String: String]
    var workingDirectory: String?

    /// Starts the process; the handle must be closed afterwards, whatever the result.
    func start(
        _ handle: UnsafeMutablePointer<uv_process_t>,
        _ kinds: [ChildProcess.StandardStream],
        _ pipes: [PipeConnection?],
        _ onExit: uv_exit_cb
    ) -> Int32 {
        var argumentVector = unsafe ([executable] + arguments).map { unsafe strdup($0) } + [nil]
        var environmentVector = unsafe environment.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
        defer {
            unsafe (argumentVector + environmentVector).forEach { unsafe free($0) }
        }
        var containers = unsafe zip(kinds, pipes).enumerated().map { number, stream in
            unsafe Self.container(stream.0, stream.1, number: Int32(number))
        }
        let directory = unsafe workingDirectory.map { unsafe strdup($0) }
        defer { unsafe free(directory ?? nil) }
        CloseOnExec.markAllAboveStandard()
        return unsafe executable.withCString { file in
            unsafe argumentVector.withUnsafeMutableBufferPointer { argumentVector in
                unsafe environmentVector.withUnsafeMutableBufferPointer { environmentVector in
                    unsafe containers.withUnsafeMutableBufferPointer { containers in
                        var options = unsafe uv_process_options_t()
                        unsafe options.exit_cb = onExit
                        unsafe options.file = file
                        unsafe options.args = argumentVector.baseAddress
                        unsafe options.env = environmentVector.baseAddress
                        unsafe options.cwd = UnsafePointer(directory ?? nil)
                        // setsid: a session and a group of its own.
                        unsafe options.flags = UV_PROCESS_DETACHED.rawValue
                        unsafe options.stdio_count = Int32(containers.count)
                        unsafe options.stdio = containers.baseAddress
                        return unsafe uv_spawn(Loop.shared.executor.loop, handle, &options)
                    }
                }
            }
        }
    }

    private static func container(
        _ kind: ChildProcess.StandardStream,
        _ pipe: PipeConnection?,
        number: Int32
    ) -> uv_stdio_container_t {
        var container = unsafe uv_stdio_container_t()
        switch kind {
        case .null:
            unsafe container.flags = UV_IGNORE
        case .inherit:
            unsafe container.flags = UV_INHERIT_FD
            unsafe container.data.fd = number
        case .pipe:
            // Seen from the process that is started.
            let direction = number == 0 ? UV_READABLE_PIPE : UV_WRITABLE_PIPE
            unsafe container.flags = uv_stdio_flags(rawValue: UV_CREATE_PIPE.rawValue | direction.rawValue)
            unsafe container.data.stream = pipe?.withHandle { unsafe $0 }
        }
        return unsafe container
    }
}
