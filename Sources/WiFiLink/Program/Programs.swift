import EventLoop
import Glibc

/// Runs programs of the system, each within a deadline and with nothing of our environment.
struct Programs {
    /// Where they are looked for.
    let searchPath: String
    private var environment: [String: String]

    init(_ options: WiFiOptions) {
        searchPath = options.searchPath
        // English words, and names of networks in UTF-8.
        var environment = ["PATH": options.searchPath, "LC_ALL": "C.UTF-8"]
        environment.merge(options.environment) { $1 }
        self.environment = environment
    }

    /// The same, for programs that move the radio away: ``Survivors`` finds them.
    func marked(_ record: MoveRecord) -> Programs {
        var marked = self
        marked.environment[Survivors.variable] = record.token
        return marked
    }

    /// Whether a program is installed.
    func has(_ name: String) -> Bool {
        if name.contains("/") { return access(name, X_OK) == 0 }
        return searchPath.split(separator: ":").contains { access("\($0)/\(name)", X_OK) == 0 }
    }

    /// Runs a program to its end.
    ///
    /// At the deadline, and when the task is cancelled, it is asked to end with all that it has started, and killed two
    /// seconds later.
    ///
    /// - Parameter input: what it reads; nil for nothing.
    /// - Parameter isDone: looks at what it has written so far; true ends it.
    /// - Throws: ``WiFiError/program(_:words:)`` where it cannot be started, ``WiFiError/timedOut(_:after:)``,
    ///   ``WiFiError/cancelled``.
    @Loop
    func run(
        _ program: String,
        _ arguments: [String],
        input: [UInt8]? = nil,
        deadline: Duration,
        until isDone: (@Loop ([UInt8]) -> Bool)? = nil
    ) async throws(WiFiError) -> ProgramOutput {
        if Task.isCancelled { throw .cancelled }
        let run = ProgramRun()
        do throws(LoopError) {
            try run.start(program, arguments, environment, input: input, deadline: deadline, until: isDone)
        } catch {
            throw .program(program, words: error == .notFound(program) ? "is not installed" : "cannot run: \(error)")
        }
        let output = await withTaskCancellationHandler {
            await run.output()
        } onCancel: {
            Loop.post { run.end(because: .cancelled) }
        }
        if let reason = run.failure { throw reason }
        return output
    }

    /// Runs a program that must succeed, and returns what it wrote.
    @Loop
    func text(_ program: String, _ arguments: [String], deadline: Duration) async throws(WiFiError) -> String {
        let output = try await run(program, arguments, deadline: deadline)
        guard output.status.isSuccess else { throw .program(program, words: output.complaint) }
        return output.text
    }
}
