import EventLoop
import Glibc

/// The processes that this run has started, so that none is left behind when it is interrupted.
@Loop
final class Children {
    static let all = Children()

    private var running: [Int: ChildProcess] = [:]
    private var started = 0
    private var watches: [SignalWatch] = []

    /// Starts a process that ends with this one.
    func start(
        _ executable: String,
        _ arguments: [String],
        environment: [String: String],
        onExit: @escaping @Loop (ChildProcess.ExitStatus) -> Void
    ) throws -> ChildProcess {
        started += 1
        let number = started
        let process: ChildProcess
        do throws(LoopError) {
            process = try ChildProcess(
                executable: executable,
                arguments: arguments,
                environment: environment,
                stdin: .null,
                stdout: .null
            ) { [weak self] status in
                self?.running[number] = nil
                onExit(status)
            }
        } catch {
            throw BenchError.cannotStart(executable, reason: "\(error)")
        }
        running[number] = process
        return process
    }

    /// Ends everything at once.
    func endAll() {
        for process in running.values { process.signal(SIGKILL, toGroup: true) }
    }

    /// Ends everything, runs `cleanUp` and leaves, when the run is interrupted.
    func endWithSignals(_ cleanUp: @escaping @Loop () -> Void) throws(LoopError) {
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            watches.append(
                try SignalWatch(signal) { [unowned self] in
                    endAll()
                    cleanUp()
                    exit(128 + signal)
                }
            )
        }
    }
}
