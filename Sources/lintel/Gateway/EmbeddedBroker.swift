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

    /// Starts it; if it ends by itself it is started again.
    ///
    /// - Throws: ``Failure`` where it is not installed or its folder cannot be written.
    func start() throws(Failure) {
        try Files.makeFolder(folder)
        let path = "\(folder)/mosquitto.conf"
        try Files.write(
            """
            # Written by lintel at each start; a broker of your own takes over with mqtt.url in lintel.yaml.
            listener \(port) 127.0.0.1
            allow_anonymous true
            set_tcp_nodelay true
            persistence true
            persistence_location \(folder)/
            message_size_limit 1048576
            log_dest stderr
            log_type error
            log_type warning

            """,
            to: path
        )
        try launch(path)
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
            child.stderr?.onBytes = { [log] bytes in
                let text = String(decoding: bytes, as: UTF8.self)
                for line in text.split(separator: "\n") { log.forward(.warning, "mosquitto: \(line)") }
            }
            process = child
        } catch {
            throw Failure(
                .configuration,
                "The embedded broker cannot be started: \(error).",
                hint: "Install it (apt-get install mosquitto), or set mqtt.url to a broker of yours."
            )
        }
    }

    private func ended(_ status: ExitStatus, _ configuration: String) {
        process = nil
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
