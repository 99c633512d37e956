import EventLoop
import Glibc

/// A Python script of this folder, running as an independent party of a test.
@Loop
final class PythonScript {
    /// The interpreter: the one that `LINTEL_PYTHON` names, else the first on the path.
    nonisolated static var interpreter: String { variable("LINTEL_PYTHON") ?? "python3" }

    private nonisolated static var environment: [String: String] {
        ["PATH": variable("PATH") ?? "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"]
    }

    private nonisolated static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    private var process: ChildProcess?
    private var rest: [UInt8] = []
    private let lineSource: AsyncStream<String>.Continuation
    /// What the script prints, line by line; ends with the script.
    let lines: AsyncStream<String>

    /// Starts a script of the folder `Scripts`.
    init(_ name: String, _ arguments: [String]) throws {
        (lines, lineSource) = AsyncStream.makeStream()
        let folder = #filePath.split(separator: "/").dropLast().joined(separator: "/")
        let process = try ChildProcess(
            executable: Self.interpreter,
            arguments: ["/\(folder)/Scripts/\(name)"] + arguments,
            environment: Self.environment,
            stdin: .null,
            stderr: .inherit
        ) { _ in }
        self.process = process
        process.stdout?.onClose = { [weak self] _ in self?.lineSource.finish() }
        process.stdout?.onBytes = { [weak self] bytes in self?.receive(bytes) }
    }

    func stop() {
        process?.signal(SIGKILL, toGroup: true)
    }

    private func receive(_ bytes: [UInt8]) {
        for byte in bytes {
            if byte != UInt8(ascii: "\n") {
                rest.append(byte)
                continue
            }
            lineSource.yield(String(decoding: rest, as: UTF8.self))
            rest = []
        }
    }

    /// Whether the interpreter finds a module.
    static func finds(module: String) async -> Bool {
        await withCheckedContinuation { continuation in
            let process = try? ChildProcess(
                executable: interpreter,
                arguments: ["-c", "import \(module)"],
                environment: environment,
                stdin: .null,
                stdout: .null,
                stderr: .null
            ) { status in continuation.resume(returning: status == .exited(0)) }
            if process == nil { continuation.resume(returning: false) }
        }
    }
}
