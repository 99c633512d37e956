import EventLoop
import Glibc

/// A simulator of the demo, in a process of its own, which ends with it.
@Loop
final class DemoSimulator {
    /// The lines that it has printed.
    private(set) var lines: [String] = []
    private var rest = ""
    private var process: ChildProcess?
    private var hasEnded = false

    /// Starts `lintel-simulator` and waits until it says that it is ready.
    ///
    /// - Parameter what: what it is, for a person.
    static func start(_ arguments: [String], what: String) async throws -> DemoSimulator {
        let simulator = DemoSimulator()
        try await simulator.launch(arguments, what)
        return simulator
    }

    func stop() { process?.signal(SIGTERM, toGroup: true) }

    /// The rest of the first line that begins with a text.
    func line(after beginning: String) -> String? {
        lines.first { $0.hasPrefix(beginning) }.map { String($0.dropFirst(beginning.count)) }
    }

    private func launch(_ arguments: [String], _ what: String) async throws {
        do throws(LoopError) {
            process = try ChildProcess(
                executable: "\(PluginFolders.ownFolder)/lintel-simulator",
                arguments: arguments + ["--exit-with-input", "--quiet"],
                environment: ProcessEnvironment.all,
                stdin: .pipe,
                stdout: .pipe,
                stderr: .inherit
            ) { [weak self] _ in self?.hasEnded = true }
        } catch {
            throw Failure(.configuration, "\(what) cannot be started: \(error).", hint: "Build it with make build.")
        }
        process?.stdout?.onBytes = { [weak self] in self?.receive($0) }
        for _ in 0..<500 where !hasEnded {
            if line(after: "ready:") != nil { return }
            try await Loop.sleep(for: .milliseconds(20))
        }
        stop()
        throw Failure(.configuration, "\(what) did not come up.")
    }

    private func receive(_ bytes: [UInt8]) {
        // Nobody reads more than what it says at its start.
        guard lines.count < 100 else { return }
        rest += String(decoding: bytes, as: UTF8.self)
        var parts = rest.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        rest = parts.popLast() ?? ""
        lines += parts
    }
}
