import EventLoop
import Glibc

/// A mosquitto on loopback with a configuration that does not hold the others back: no-delay and wide windows.
@Loop
final class Broker {
    let port: UInt16
    private let folder: String
    private var process: ChildProcess?
    private var log = ProcessLog()

    /// A broker that is not running.
    ///
    /// - Parameter folder: where its configuration goes.
    init(port: UInt16, folder: String) throws(BenchError) {
        self.port = port
        self.folder = folder
        try SystemFile.write(
            """
            listener \(port) 127.0.0.1
            allow_anonymous true
            persistence false
            set_tcp_nodelay true
            max_inflight_messages 0
            max_queued_messages 0
            log_type error
            log_type warning

            """,
            to: folder + "/mosquitto.conf"
        )
    }

    var pid: Int32? { process?.pid }

    /// Starts it, and returns when it accepts connections.
    ///
    /// - Returns: when the first connection was accepted, within a few milliseconds.
    @discardableResult
    func start() async throws -> MonotonicTime {
        let process = try Children.all.start(
            "mosquitto",
            ["-c", folder + "/mosquitto.conf"],
            environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin:/usr/local/sbin:/usr/local/bin"]
        ) { [weak self] _ in self?.process = nil }
        log.follow(process.stderr)
        self.process = process
        let deadline = Loop.now + .seconds(10)
        while Loop.now < deadline {
            if let probe = try? await TCPConnection.connect(to: .loopback(port: port), deadline: .seconds(1)) {
                probe.close()
                return Loop.now
            }
            try await Loop.sleep(for: .milliseconds(2))
        }
        throw BenchError.timedOut("mosquitto does not accept connections on port \(port): \(log.text)")
    }

    /// Kills it, so that all clients lose it at once and nothing is saved.
    func kill() async throws {
        process?.signal(SIGKILL, toGroup: false)
        while process != nil { try await Loop.sleep(for: .milliseconds(1)) }
    }

    /// A free port of 127.0.0.1.
    static func freePort() throws -> UInt16 {
        try TCPListener(bind: .loopback(port: 0)) { _ in }.address.port
    }
}
