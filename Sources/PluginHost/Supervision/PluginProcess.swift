import EventLoop
import Glibc
import HomeModel
import PluginWire

/// One run of a plugin: its process, the wire to it, and its log text, until all of that has ended.
@Loop
final class PluginProcess {
    /// How long what a dead process has written may take to arrive; a descendant outside its group may hold its pipes.
    private static let drainDeadline = Duration.milliseconds(200)
    /// How long a process may live without its output.
    private static let silentDeadline = Duration.seconds(1)
    /// How much log text is read in a second; more waits in the pipe, which holds the plugin back.
    private static let logBudget = 256 << 10

    /// How a process is started.
    struct Command {
        var executable: String
        var arguments: [String]
        var environment: [String: String]
        var workingDirectory: String
        var limits: ProcessLimits
    }

    let connection: PluginConnection
    let pid: Int32
    private let child: ChildProcess
    private let recorder: FlightRecorder
    private let onLine: @Loop (_ level: String, _ text: String) -> Void
    private var onEnd: (@Loop (_ reason: String) -> Void)?
    private var logText = LogText()
    private var logBytes = 0
    private var logTimer: LoopTimer?
    private var timer: LoopTimer?
    private var exit: ChildProcess.ExitStatus?
    private var isOutputOpen = true
    /// Why we ended it, where we did.
    private var reason: String?
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Whether all of it has ended.
    private(set) var hasEnded = false

    /// Starts a process.
    ///
    /// - Parameters:
    ///   - onLine: gets its log text by lines, without secrets.
    ///   - onEnd: called once, when it and its output have ended, with the reason in words.
    init(
        _ command: Command,
        recorder: FlightRecorder,
        onLine: @escaping @Loop (_ level: String, _ text: String) -> Void,
        onEnd: @escaping @Loop (_ reason: String) -> Void
    ) throws(LoopError) {
        let exits = Exits()
        child = try ChildProcess(
            executable: command.executable,
            arguments: command.arguments,
            environment: command.environment,
            workingDirectory: command.workingDirectory,
            onExit: { exits.body?($0) }
        )
        guard let input = child.stdin, let output = child.stdout, let errors = child.stderr else {
            preconditionFailure("all three are pipes")
        }
        pid = child.pid
        self.recorder = recorder
        self.onLine = onLine
        self.onEnd = onEnd
        connection = PluginConnection(input: input, output: output, recorder: recorder)
        exits.body = { [weak self] in self?.exited($0) }
        do {
            try child.limit(.coreDump, to: 0)
            try child.limit(.openFiles, to: command.limits.openFiles)
            if let bytes = command.limits.addressSpace { try child.limit(.addressSpace, to: bytes) }
        } catch {
            recorder.record(text: "the process runs without limits: \(error)", .host)
        }
        connection.onFault = { [weak self] in self?.kill(because: "broke the protocol: \($0)") }
        connection.onEnd = { [weak self] in self?.outputEnded() }
        errors.onBytes = { [weak self] in self?.log($0) }
        connection.open()
    }

    // MARK: Ending it

    /// Kills the process and all of its group.
    func kill(because reason: String) {
        guard self.reason == nil else { return child.signal(SIGKILL, toGroup: true) }
        self.reason = reason
        recorder.record(text: reason, .host)
        child.signal(SIGKILL, toGroup: true)
    }

    /// Asks the process to stop, then makes it; returns when it has ended.
    ///
    /// - Parameter reason: what it will have ended for, in words that follow "it".
    func stop(_ times: SupervisionTimes, because reason: String = "was stopped") async {
        guard !hasEnded else { return }
        if self.reason == nil {
            self.reason = reason
            connection.call(.shutdown, within: times.shutdown, isUrgent: true) { _ in }
            timer = LoopTimer(after: times.shutdown) { [weak self] in self?.terminate(times) }
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    private func terminate(_ times: SupervisionTimes) {
        guard exit == nil else { return }
        recorder.record(text: "did not follow shutdown, SIGTERM", .host)
        connection.closeInput()
        child.signal(SIGTERM, toGroup: true)
        timer = LoopTimer(after: times.terminate) { [weak self] in
            guard let self, self.exit == nil else { return }
            self.recorder.record(text: "did not follow SIGTERM, SIGKILL", .host)
            self.child.signal(SIGKILL, toGroup: true)
        }
    }

    private func outputEnded() {
        isOutputOpen = false
        guard exit == nil else { return conclude() }
        // Usually the process is about to end, too.
        if timer == nil {
            timer = LoopTimer(after: Self.silentDeadline) { [weak self] in self?.kill(because: "closed its output") }
        }
    }

    private func exited(_ status: ChildProcess.ExitStatus) {
        exit = status
        guard isOutputOpen else { return conclude() }
        timer = LoopTimer(after: Self.drainDeadline) { [weak self] in self?.conclude() }
    }

    private func conclude() {
        guard !hasEnded, let exit else { return }
        hasEnded = true
        timer = nil
        logTimer = nil
        for line in logText.rest() { tell(line) }
        child.stderr?.close()
        let words =
            switch exit {
            case .exited(let code): "exited with code \(code)"
            case .signalled(let signal): "was ended by signal \(signal)"
            }
        if reason == nil { recorder.record(text: words, .host) }
        let report = onEnd
        onEnd = nil
        report?(reason ?? words)
        let continuations = waiting
        waiting = []
        for continuation in continuations { continuation.resume() }
    }

    // MARK: Log text

    private func log(_ bytes: [UInt8]) {
        logBytes += bytes.count
        for line in logText.lines(bytes) { tell(line) }
        if logTimer == nil {
            logTimer = LoopTimer(after: .seconds(1)) { [weak self] in
                guard let self else { return }
                self.logTimer = nil
                self.logBytes = 0
                self.child.stderr?.resumeReading()
            }
        }
        if logBytes > Self.logBudget { child.stderr?.pauseReading() }
    }

    private func tell(_ line: String) {
        let (level, text) = LogText.parse(line)
        onLine(level, recorder.record(text: text, .log))
    }
}

/// Takes the exit of a process that is only being made.
@Loop
private final class Exits {
    var body: (@Loop (ChildProcess.ExitStatus) -> Void)?
}
