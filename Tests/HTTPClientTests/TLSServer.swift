import EventLoop
import TestSupport

/// OpenSSL's own server on loopback; it answers every GET with a page about the connection.
@Loop
final class TLSServer {
    private let process: ChildProcess
    private(set) var port: UInt16 = 0

    private init(_ process: ChildProcess) { self.process = process }

    /// Starts one and waits until it listens.
    ///
    /// - Parameters:
    ///   - certificate: a PEM file, as is `key`.
    ///   - options: more of the program's own.
    static func start(certificate: String, key: String, options: [String] = []) async throws -> TLSServer {
        let fact = Fact()
        var output: [UInt8] = []
        var hasEnded = false
        let process = try ChildProcess(
            executable: "openssl",
            arguments: ["s_server", "-www", "-accept", "127.0.0.1:0", "-cert", certificate, "-key", key] + options,
            environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"],
            stdin: .null
        ) { _ in
            hasEnded = true
            fact.changed()
        }
        let server = TLSServer(process)
        process.stdout?.onBytes = { bytes in
            output += bytes
            fact.changed()
        }
        process.stderr?.onBytes = { output += $0 }
        await fact.until {
            server.port = Self.port(in: output) ?? 0
            return server.port != 0 || hasEnded
        }
        guard server.port != 0 else { throw TestError.notReady(output: String(decoding: output, as: UTF8.self)) }
        return server
    }

    func stop() { process.signal(9, toGroup: false) }

    /// Out of `ACCEPT 127.0.0.1:12345` and the line's end.
    private static func port(in output: [UInt8]) -> UInt16? {
        let text = String(decoding: output, as: UTF8.self)
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        where line.hasPrefix("ACCEPT") {
            return line.split(separator: ":").last.flatMap { UInt16($0) }
        }
        return nil
    }
}
