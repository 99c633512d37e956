import EventLoop
import Glibc
import JSON

/// One run of the `lintel` program by somebody at a terminal.
@Loop
final class CommandLineRun {
    private var outputBytes: [UInt8] = []
    private var errorBytes: [UInt8] = []
    /// Its exit status; nil while it runs, 128 and the signal where one ended it.
    private(set) var exit: Int32?
    private let facts: Facts
    private var child: ChildProcess?
    private var openStreams = 2

    private init(_ facts: Facts) { self.facts = facts }

    /// What it printed so far.
    var output: String { String(decoding: outputBytes, as: UTF8.self) }

    /// What it printed to standard error so far.
    var errors: String { String(decoding: errorBytes, as: UTF8.self) }

    /// The lines that it printed, as JSON.
    var json: [JSON] { output.split(separator: "\n").compactMap { try? JSON.parse(String($0)) } }

    /// The process id while it runs; 0 after that.
    var pid: Int32 { child?.pid ?? 0 }

    /// Runs a verb to its end.
    ///
    /// - Parameter input: what it reads from a pipe at standard input; nil for nothing.
    static func run(
        _ words: [String],
        facts: Facts,
        environment: [String: String] = [:],
        in folder: String? = nil,
        input: String? = nil
    ) async throws -> CommandLineRun {
        let run = try start(words, facts: facts, environment: environment, in: folder, input: input)
        try await run.ended()
        return run
    }

    /// Starts a verb that goes on until it is interrupted.
    static func start(
        _ words: [String],
        facts: Facts,
        environment: [String: String] = [:],
        in folder: String? = nil,
        input: String? = nil
    ) throws -> CommandLineRun {
        let run = CommandLineRun(facts)
        let child = try ChildProcess(
            executable: try Programs.path("lintel"),
            arguments: words,
            environment: Programs.environment.merging(environment) { $1 },
            workingDirectory: folder,
            stdin: input == nil ? .null : .pipe
        ) { status in
            switch status {
            case .exited(let code): run.exit = code
            case .signalled(let signal): run.exit = 128 + signal
            }
            facts.changed()
        }
        child.stdout?.onBytes = {
            run.outputBytes += $0
            facts.changed()
        }
        child.stderr?.onBytes = {
            run.errorBytes += $0
            facts.changed()
        }
        for stream in [child.stdout, child.stderr] {
            stream?.onClose = { _ in
                run.openStreams -= 1
                facts.changed()
            }
        }
        if let input {
            child.stdin?.write(Array(input.utf8))
            child.stdin?.close()
        }
        run.child = child
        return run
    }

    /// Waits until it has ended and everything that it printed is here.
    func ended() async throws {
        try await facts.until("the program ends; it printed \(output)\(errors)") { [self] in
            exit != nil && openStreams == 0
        }
        child = nil
    }

    /// Does what Ctrl-C does.
    func interrupt() async throws {
        child?.signal(SIGINT, toGroup: false)
        try await ended()
    }
}
