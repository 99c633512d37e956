import EventLoop
import Glibc
import JSON

/// A lamp made of tinytuya's framing and ciphers, in a process of its own.
@Loop
final class TinytuyaDevice {
    /// The interpreter: the one that `LINTEL_PYTHON` names, else the first on the path.
    nonisolated static var interpreter: String { variable("LINTEL_PYTHON") ?? "python3" }

    private nonisolated static var environment: [String: String] {
        ["PATH": variable("PATH") ?? "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"]
    }

    private nonisolated static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    private let process: ChildProcess
    private var rest: [UInt8] = []
    private let lineSource: AsyncStream<JSON>.Continuation
    /// What the device tells, line by line; ends with it.
    let lines: AsyncStream<JSON>

    init(version: String, id: String, key: String) throws {
        (lines, lineSource) = AsyncStream.makeStream()
        let folder = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        process = try ChildProcess(
            executable: Self.interpreter,
            arguments: ["/\(folder)/Scripts/tinytuya_device.py", version, id, key],
            environment: Self.environment,
            stdin: .pipe,
            stderr: .inherit
        ) { _ in }
        process.stdout?.onClose = { [weak self] _ in self?.lineSource.finish() }
        process.stdout?.onBytes = { [weak self] bytes in self?.receive(bytes) }
    }

    func stop() { process.signal(SIGKILL, toGroup: true) }

    private func receive(_ bytes: [UInt8]) {
        for byte in bytes {
            guard byte == UInt8(ascii: "\n") else {
                rest.append(byte)
                continue
            }
            if let line = try? JSON.parse(rest) { lineSource.yield(line) }
            rest = []
        }
    }

    /// Whether the interpreter finds tinytuya.
    static func isPossible() async -> Bool {
        await withCheckedContinuation { continuation in
            let process = try? ChildProcess(
                executable: interpreter,
                arguments: ["-c", "import tinytuya"],
                environment: environment,
                stdin: .null,
                stdout: .null,
                stderr: .null
            ) { status in continuation.resume(returning: status == .exited(0)) }
            if process == nil { continuation.resume(returning: false) }
        }
    }
}
