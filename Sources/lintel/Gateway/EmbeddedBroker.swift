import EventLoop
import Glibc
import Log

/// A mosquitto of our own on loopback, for those who have no broker: `mqtt.url: embedded`.
@Loop
final class EmbeddedBroker {
    private let folder: String
    private let port: UInt16
    private let log: Log
    private var process: ChildProcess?
    private var isStopping = false
    private var restartTimer: LoopTimer?
    private var onStopped: (@Loop () -> Void)?

    init(folder: String, port: UInt16, log: Log) {
        self.folder = folder
        self.port = port
        self.log = log
    }

    /// Starts it and waits until it listens; if it ends by itself it is started again.
    ///
    /// - Throws: ``Failure`` where it is not installed, its folder cannot be written, or its port is taken.
    func start() async throws(Failure) {
        try Files.makeFolder(folder)
        let path = "\(folder)/mosquitto.conf"
        await endSurvivor(path)
        guard Self.isFree(port) else {
            throw Failure(
                .configuration,
                "Port \(port) of 127.0.0.1 is taken, so that the embedded broker cannot listen there.",
                hint: "If that is a broker, use it (mqtt.url: mqtt://127.0.0.1:\(port)); else give another port: "
                    + "mqtt.url: embedded:PORT, or --port PORT of the demo."
            )
        }
        // Started by root, mosquitto becomes a user who cannot write the folder, unless it is told to stay.
        let user = getuid() == 0 ? "user root\n" : ""
        try Files.write(
            """
            # Written by lintel at each start; a broker of your own takes over with mqtt.url in lintel.yaml.
            \(user)listener \(port) 127.0.0.1
            allow_anonymous true
            set_tcp_nodelay true
            persistence true
            persistence_location \(folder)/
            max_packet_size 1048576
            log_dest stderr
            log_type error
            log_type warning

            """,
            to: path
        )
        try launch(path)
        try await waitUntilReady()
    }

    /// Whether nobody listens at a port of loopback.
    static func isFree(_ port: UInt16) -> Bool {
        guard let listener = try? TCPListener(bind: address(port), onConnection: { $0.close() }) else { return false }
        listener.close()
        return true
    }

    private static func address(_ port: UInt16) -> SocketAddress { SocketAddress(ipv4: 0x7F00_0001, port: port) }

    /// Ends the broker of a gateway that was killed.
    ///
    /// It would keep the port; that it is nobody else's is sure, since the data directory's lock is ours by now.
    private func endSurvivor(_ configuration: String) async {
        guard let text = Files.read(pidFile, limit: 64),
            let pid = pid_t(String(decoding: text, as: UTF8.self)), pid > 1, Self.runs(configuration, pid)
        else { return }
        log.notice("ending the embedded broker of a gateway that was killed", ["pid": "\(pid)"])
        kill(pid, SIGTERM)
        for _ in 0..<250 where Self.runs(configuration, pid) { try? await Loop.sleep(for: .milliseconds(20)) }
    }

    private var pidFile: String { "\(folder)/mosquitto.pid" }

    /// Whether a process runs a broker with a configuration.
    private static func runs(_ configuration: String, _ pid: pid_t) -> Bool {
        guard let line = Files.read("/proc/\(pid)/cmdline", limit: 65_536) else { return false }
        let arguments = line.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        return arguments.first == "mosquitto" && arguments.last == configuration
    }

    private func waitUntilReady() async throws(Failure) {
        let address = Self.address(port)
        for _ in 0..<250 {
            if process == nil { break }
            if let connection = try? await TCPConnection.connect(to: address, deadline: .seconds(1)) {
                connection.close()
                return
            }
            try? await Loop.sleep(for: .milliseconds(20))
        }
        isStopping = true
        throw Failure(
            .configuration,
            "The embedded broker does not come up on 127.0.0.1:\(port).",
            hint: "Is the port taken by another broker? Give another with mqtt.url: embedded:PORT."
        )
    }

    func stop() async {
        isStopping = true
        restartTimer = nil
        guard let process else { return }
        process.signal(SIGTERM, toGroup: true)
        await withCheckedContinuation { continuation in onStopped = { continuation.resume() } }
    }

    private func launch(_ configuration: String) throws(Failure) {
        do throws(LoopError) {
            let child = try ChildProcess(
                executable: "mosquitto",
                arguments: ["-c", configuration],
                environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin:/usr/local/sbin:/usr/local/bin"],
                stdin: .null,
                stdout: .null,
                stderr: .pipe
            ) { [weak self] status in self?.ended(status, configuration) }
            child.stderr?.onBytes = { [log] (bytes: [UInt8]) in
                let text = String(decoding: bytes, as: UTF8.self)
                for line in text.split(separator: "\n") {
                    // It stays root because we say so (see `start`).
                    guard !line.hasSuffix("should not be run as root/administrator.") else { continue }
                    log.forward(.warning, "mosquitto: \(line)")
                }
            }
            process = child
        } catch {
            throw Failure(
                .configuration,
                "The embedded broker cannot be started: \(error).",
                hint: "Install it (apt-get install mosquitto), or set mqtt.url to a broker of yours."
            )
        }
        if let process { try Files.write("\(process.pid)", to: pidFile) }
    }

    private func ended(_ status: ChildProcess.ExitStatus, _ configuration: String) {
        process = nil
        unlink(pidFile)
        onStopped?()
        guard !isStopping else { return }
        log.error("the embedded broker ended; starting it again", ["status": "\(status)", "port": "\(port)"])
        restartTimer = LoopTimer(after: .seconds(1)) { [weak self] in
            guard let self else { return }
            do throws(Failure) {
                try launch(configuration)
            } catch {
                log.error("the embedded broker cannot be started", ["reason": "\(error.message)"])
            }
        }
    }
}
