import EventLoop
import Glibc
import TestSupport

/// One run of the `lintel` program by somebody at a terminal of their own.
@Loop
final class TerminalRun {
    let terminal: PseudoTerminal
    /// Its exit status; nil while it runs.
    private(set) var exit: Int32?
    private let facts: Facts
    private var child: ChildProcess?

    private init(_ terminal: PseudoTerminal, _ facts: Facts) {
        self.terminal = terminal
        self.facts = facts
    }

    /// Starts a verb.
    static func start(
        _ words: [String],
        facts: Facts,
        columns: Int = 100,
        rows: Int = 40,
        environment: [String: String] = [:]
    ) throws -> TerminalRun {
        let terminal = try PseudoTerminal(columns: columns, rows: rows, facts: facts)
        let run = TerminalRun(terminal, facts)
        // A session of its own, so that Ctrl-C on this terminal is a signal to the program.
        let line = #"exec setsid --ctty --wait "$0" "$@" <"$TERMINAL" >"$TERMINAL" 2>&1"#
        var variables = Programs.environment.merging(["TERM": "xterm-256color", "TERMINAL": terminal.path]) { $1 }
        for (name, value) in environment { variables[name] = value }
        run.child = try ChildProcess(
            executable: "/bin/sh",
            arguments: ["-c", line, try Programs.path("lintel")] + words,
            environment: variables,
            stdin: .null,
            stdout: .null,
            stderr: .null
        ) { status in
            switch status {
            case .exited(let code): run.exit = code
            case .signalled(let signal): run.exit = 128 + signal
            }
            run.child = nil
            facts.changed()
        }
        return run
    }

    /// The process ids of the program itself.
    var pids: [Int32] { child.map { ProcessTable.children(of: $0.pid) } ?? [] }

    /// Waits until the screen shows a text.
    func shows(_ text: String) async throws {
        try await facts.until("the screen shows \"\(text)\"; it shows:\n\(picture)") { [self] in
            terminal.screen.lines.contains { $0.contains(text) }
        }
    }

    /// Waits for the end.
    func ended() async throws {
        do {
            try await facts.until("the program ends; the screen shows:\n\(picture)") { [self] in exit != nil }
        } catch {
            for pid in pids { kill(pid, SIGKILL) }
            throw error
        }
        try await terminal.settle()
    }

    /// What a person sees.
    var picture: String { terminal.screen.lines.joined(separator: "\n") }
}
