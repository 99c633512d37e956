package import EventLoop
import Glibc

/// A mosquitto on a free port of 127.0.0.1, with a configuration of its own in a temporary folder.
///
/// Kept alive by its owner; dropping it does not stop the program, ``stop()`` does.
@Loop
package final class MosquittoBroker {
    /// What the broker does differently from an open broker without memory.
    package struct Configuration: Sendable {
        /// Whether retained messages and sessions survive ``restart()``.
        package var isPersistent = false
        /// Names and passwords; without any, everybody may connect.
        package var users: [String: String] = [:]
        /// Encrypts with the server certificate.
        package var certificates: Certificates?
        /// Whether clients must show a certificate of the same authority.
        package var requiresClientCertificate = false
        /// An address besides loopback to listen on, at the same port.
        package var extraAddress: String?
        /// Further lines of mosquitto.conf.
        package var lines: [String] = []

        package init() {}
    }

    package let port: UInt16
    package let configuration: Configuration
    private let folder: TemporaryFolder
    private var child: ChildProcess?
    private var output: [UInt8] = []
    private let fact = Fact()

    private init(_ configuration: Configuration, port: UInt16) throws {
        self.configuration = configuration
        self.port = port
        folder = try TemporaryFolder()
    }

    /// Starts a broker and waits until it takes connections.
    package static func start(_ configuration: Configuration = Configuration()) async throws -> MosquittoBroker {
        var last: any Error = TestError.notReady(output: "")
        // Somebody else may take the port between our look and the broker's bind.
        for _ in 0..<5 {
            let broker = try MosquittoBroker(configuration, port: try freePort())
            do {
                try await broker.writeConfiguration()
                try await broker.launch()
                return broker
            } catch let error as TestError {
                await broker.stop()
                last = error
            }
        }
        throw last
    }

    /// A port that nobody listens on at the moment.
    package static func freePort() throws(LoopError) -> UInt16 {
        try TCPListener(bind: .loopback(port: 0)) { _ in }.address.port
    }

    /// What the broker wrote, for messages of failed tests.
    package var log: String { String(decoding: output, as: UTF8.self) }

    /// Stops the broker in good order and waits for its end.
    package func stop() async {
        child?.signal(SIGTERM, toGroup: false)
        await fact.until { [self] in child == nil }
    }

    /// Kills the broker as a power cut would, and waits for its end.
    package func kill() async {
        child?.signal(SIGKILL, toGroup: true)
        await fact.until { [self] in child == nil }
    }

    /// Starts a stopped broker again on the same port and waits until it takes connections.
    package func launch() async throws {
        // Tests that are killed must not leave brokers behind.
        let child = try ChildProcess(
            executable: "setpriv",
            arguments: ["--pdeathsig", "KILL", "mosquitto", "-c", folder.file("mosquitto.conf")],
            environment: ["PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin"],
            stdin: .null,
            stdout: .null
        ) { [self] _ in
            self.child = nil
            fact.changed()
        }
        child.stderr?.onBytes = { [self] in output += $0 }
        self.child = child
        let give = Loop.now + .seconds(20)
        while self.child != nil, Loop.now < give {
            let address = SocketAddress.loopback(port: port)
            if let probe = try? await TCPConnection.connect(to: address, deadline: .seconds(5)) { return probe.close() }
            try await Loop.sleep(for: .milliseconds(5))
        }
        throw TestError.notReady(output: log)
    }

    /// Stops the broker in good order and starts it again on the same port.
    package func restart() async throws {
        await stop()
        try await launch()
    }

    private func writeConfiguration() async throws {
        var lines = ["listener \(port) 127.0.0.1", "set_tcp_nodelay true", "log_dest stderr"]
        lines += ["error", "warning", "notice"].map { "log_type \($0)" }
        if let address = configuration.extraAddress { lines.insert("listener \(port) \(address)", at: 1) }
        // Started by root, mosquitto would become a user who cannot read the folder.
        if getuid() == 0 { lines.append("user root") }
        lines.append("allow_anonymous \(configuration.users.isEmpty)")
        lines.append("persistence \(configuration.isPersistent)")
        if configuration.isPersistent { lines.append("persistence_location \(folder.path)/") }
        if !configuration.users.isEmpty {
            let file = try folder.write("", to: "passwords")
            for (name, password) in configuration.users {
                try await Command.run("mosquitto_passwd", ["-b", file, name, password])
            }
            lines.append("password_file \(file)")
        }
        if let certificates = configuration.certificates {
            lines.append("cafile \(certificates.caFile)")
            lines.append("certfile \(certificates.serverCertificate)")
            lines.append("keyfile \(certificates.serverKey)")
            lines.append("require_certificate \(configuration.requiresClientCertificate)")
        }
        try folder.write((lines + configuration.lines).joined(separator: "\n") + "\n", to: "mosquitto.conf")
    }
}

/// Runs `body` with a broker of its own, which is stopped afterwards.
@Loop
package func withBroker<T: Sendable>(
    _ configuration: MosquittoBroker.Configuration = MosquittoBroker.Configuration(),
    _ body: @Loop (MosquittoBroker) async throws -> T
) async throws -> T {
    let broker = try await MosquittoBroker.start(configuration)
    do {
        let result = try await body(broker)
        await broker.stop()
        return result
    } catch {
        await broker.stop()
        throw error
    }
}
