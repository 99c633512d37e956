import EventLoop
import Glibc
import TestSupport

/// A TLS client of another make, running as a program of its own.
@Loop
final class ClientProgram {
    let fact = Fact()
    /// What it has written, to stdout and stderr together.
    private(set) var output = ""
    private(set) var hasExited = false
    private var process: ChildProcess?
    private var open = 2
    private var status: ChildProcess.ExitStatus?

    init(_ executable: String, _ arguments: [String]) throws {
        let process = try ChildProcess(
            executable: executable,
            arguments: arguments,
            environment: ["PATH": Self.variable("PATH") ?? "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"]
        ) { [weak self] status in
            self?.status = status
            self?.look()
        }
        self.process = process
        for stream in [process.stdout, process.stderr] {
            stream?.onBytes = { [weak self] bytes in
                self?.output += String(decoding: bytes, as: UTF8.self)
                self?.fact.changed()
            }
            stream?.onClose = { [weak self] _ in
                self?.open -= 1
                self?.look()
            }
        }
    }

    func write(_ text: String) { process?.stdin?.write([UInt8](text.utf8)) }

    /// Ends its input, upon which it gives notice and closes.
    func endInput() { process?.stdin?.close() }

    func stop() {
        if status == nil { process?.signal(SIGKILL, toGroup: true) }
    }

    private func look() {
        hasExited = status != nil && open == 0
        fact.changed()
    }

    nonisolated static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}

extension ClientProgram {
    /// `openssl s_client`.
    ///
    /// - Parameter key: hex.
    static func openSSL(
        port: UInt16,
        identity: String = EnginePair.identity,
        key: String,
        suite: String
    ) throws -> ClientProgram {
        try ClientProgram(
            "openssl",
            [
                "s_client", "-connect", "127.0.0.1:\(port)", "-tls1_2", "-psk_identity", identity, "-psk", key,
                "-cipher", "\(suite):@SECLEVEL=1", "-curves", "P-256", "-no_ticket", "-maxfraglen", "4096",
            ]
        )
    }

    /// The script around Python's binding of mbedTLS; prints `suite …`, `got …` for each message, or `failed …`.
    static func mbedTLS(port: UInt16, key: String, suite: String, messages: [String]) throws -> ClientProgram {
        let folder = #filePath.split(separator: "/").dropLast().joined(separator: "/")
        let script = "/\(folder)/Scripts/mbedtls_client.py"
        return try ClientProgram(python, [script, "\(port)", EnginePair.identity, key, suite] + messages)
    }

    static func findsMbedTLS() async -> Bool {
        guard let program = try? ClientProgram(python, ["-c", "import mbedtls.tls"]) else { return false }
        await program.fact.until { program.hasExited }
        return program.status == .exited(0)
    }

    /// The interpreter: the one that `LINTEL_PYTHON` names, else the first on the path.
    private nonisolated static var python: String { variable("LINTEL_PYTHON") ?? "python3" }
}
