import EventLoop
import Glibc

/// One run of a program.
@Loop
final class ProgramRun {
    /// The most that is kept of what a program writes.
    private static let limit = 1 << 20
    /// How long a program has to end after it was asked to.
    private static let grace = Duration.seconds(2)

    /// Why it was ended before its time.
    private(set) var failure: WiFiError?
    private var child: ChildProcess?
    private var stdout: [UInt8] = []
    private var stderr: [UInt8] = []
    private var status: ChildProcess.ExitStatus?
    private var openStreams = 0
    private var timer: LoopTimer?
    private var waiting: CheckedContinuation<ProgramOutput, Never>?

    func start(
        _ program: String,
        _ arguments: [String],
        _ environment: [String: String],
        input: [UInt8]?,
        deadline: Duration,
        until isDone: (@Loop ([UInt8]) -> Bool)?
    ) throws(LoopError) {
        let child = try ChildProcess(
            executable: program,
            arguments: arguments,
            environment: environment,
            workingDirectory: "/",
            stdin: input == nil ? .null : .pipe
        ) { [self] status in exited(status) }
        self.child = child
        if let input, let stdin = child.stdin {
            stdin.write(input)
            stdin.finish()
        }
        for stream in [child.stdout, child.stderr].compactMap(\.self) {
            openStreams += 1
            stream.onClose = { [self] _ in
                openStreams -= 1
                finishIfOver()
            }
        }
        child.stdout?.onBytes = { [self] bytes in
            if stdout.count < Self.limit { stdout += bytes }
            if let isDone, isDone(stdout) { ask() }
        }
        child.stderr?.onBytes = { [self] bytes in if stderr.count < Self.limit { stderr += bytes } }
        let name = program.split(separator: "/").last.map { String($0) } ?? program
        timer = LoopTimer(after: deadline) { [self] in end(because: .timedOut(name, after: deadline)) }
    }

    /// Ends the program, whose output is worthless then.
    func end(because reason: WiFiError) {
        guard status == nil, failure == nil else { return }
        failure = reason
        ask()
    }

    /// Waits for the end.
    func output() async -> ProgramOutput {
        await withCheckedContinuation { continuation in
            waiting = continuation
            finishIfOver()
        }
    }

    private func ask() {
        child?.signal(SIGTERM, toGroup: true)
        timer = LoopTimer(after: Self.grace) { [self] in child?.signal(SIGKILL, toGroup: true) }
    }

    private func exited(_ status: ChildProcess.ExitStatus) {
        self.status = status
        // What a descendant that left the group holds open is not waited for.
        timer = LoopTimer(after: .milliseconds(300)) { [self] in
            openStreams = 0
            finishIfOver()
        }
        finishIfOver()
    }

    private func finishIfOver() {
        guard let status, openStreams <= 0, let waiting else { return }
        self.waiting = nil
        timer = nil
        child = nil
        waiting.resume(returning: ProgramOutput(status: status, stdout: stdout, stderr: stderr))
    }
}
