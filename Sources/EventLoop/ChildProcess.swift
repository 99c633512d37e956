import CUV
import Glibc

/// A process that we started.
///
/// It leads a session and a process group of its own and gets three descriptors, exactly the given environment, no
/// blocked signals and the default action for each. The object lives, and the process is waited for, until ``onExit``
/// has been called, whether or not somebody holds it. Dropping it does not end the process; closing ``stdin`` asks it
/// to, and ``signal(_:toGroup:)`` makes it.
@Loop
@safe package final class ChildProcess {
    /// What one of the first three descriptors of a process is.
    package enum StandardStream: Sendable {
        /// Our end is a ``PipeConnection``.
        case pipe
        /// `/dev/null`.
        case null
        /// The same as ours.
        case inherit
    }

    /// The process, and the process group, until it has ended.
    package let pid: Int32
    /// What the process reads, where that is a pipe.
    package let stdin: PipeConnection?
    /// What the process writes, where that is a pipe.
    ///
    /// Bytes that it has written may arrive after its end.
    package let stdout: PipeConnection?
    /// What the process writes as errors, where that is a pipe.
    package let stderr: PipeConnection?
    private var onExit: (@Loop (ExitStatus) -> Void)?
    private var hasExited = false

    /// Starts a process.
    ///
    /// - Parameters:
    ///   - executable: a path, or a name that is looked for in the `PATH` of `environment`.
    ///   - arguments: without the name of the executable.
    ///   - environment: all that the process gets.
    ///   - workingDirectory: nil for ours.
    ///   - onExit: called once, when the process has ended and what is left of its group has been killed.
    /// - Throws: ``LoopError/notFound(_:)``, ``LoopError/notPermitted`` and what else keeps it from starting.
    package init(
        executable: String,
        arguments: [String] = [],
        environment: [String: String],
        workingDirectory: String? = nil,
        stdin: StandardStream = .pipe,
        stdout: StandardStream = .pipe,
        stderr: StandardStream = .pipe,
        onExit: @escaping @Loop (ExitStatus) -> Void
    ) throws(LoopError) {
        if let workingDirectory, unsafe access(workingDirectory, X_OK) != 0 {
            throw errno == ENOENT ? .notFound(workingDirectory) : .last("chdir")
        }
        let pipes = [stdin, stdout, stderr].map { kind in
            kind == .pipe ? unsafe PipeConnection(adopting: PipeConnection.makeHandle()) : nil
        }
        let handle = unsafe UVHandle.allocate(uv_process_t.self)
        let code = unsafe Spawn(
            executable: executable,
            arguments: arguments,
            environment: environment,
            workingDirectory: workingDirectory
        ).start(handle, [stdin, stdout, stderr], pipes, childDidExit)
        guard code == 0 else {
            unsafe UVHandle.discard(handle)
            throw code == UV_ENOENT.rawValue ? .notFound(executable) : LoopError(uv: code, call: "spawn")
        }
        pid = unsafe handle.pointee.pid
        self.stdin = pipes[0]
        self.stdout = pipes[1]
        self.stderr = pipes[2]
        self.onExit = onExit
        unsafe handle.pointee.data = Unmanaged.passRetained(self).toOpaque()
    }

    /// Sends a signal to the process, or to it and all of its descendants that stayed in its group.
    ///
    /// Does nothing once the process has ended: its number may belong to another by then.
    package func signal(_ signal: Int32, toGroup: Bool) {
        guard !hasExited else { return }
        kill(toGroup ? -pid : pid, signal)
    }

    fileprivate func didExit(_ status: ExitStatus) {
        hasExited = true
        // The group's number stays taken while anybody is in it, so this cannot hit strangers.
        kill(-pid, SIGKILL)
        let report = onExit
        onExit = nil
        report?(status)
    }
}

private func childDidExit(_ handle: UnsafeMutablePointer<uv_process_t>?, _ code: Int64, _ signal: Int32) {
    guard let handle = unsafe handle, let data = unsafe handle.pointee.data else { return }
    let child = unsafe Unmanaged<ChildProcess>.fromOpaque(data).takeRetainedValue()
    unsafe UVHandle.discard(handle)
    let status: ChildProcess.ExitStatus = signal == 0 ? .exited(Int32(truncatingIfNeeded: code)) : .signalled(signal)
    Loop.assumeIsolated { child.didExit(status) }
}
