public import DeviceInterface
import EventLoop
import Glibc
package import Log
import PluginWire

/// The main program of a plugin that is written in Swift.
///
/// ```swift
/// PluginProgram.run(version: "1.0.0") { LampAdapter() }
/// ```
public enum PluginProgram {
    /// The environment variable by which the gateway tells its process id.
    package static let gatewayVariable = "LINTEL_GATEWAY_PID"

    /// Makes a log that writes to stderr: for a gateway as lines that carry their level, for a person as suits the terminal.
    ///
    /// `LINTEL_LOG_LEVEL` in the environment says what is written; `info` and above where it does not.
    package static func makeLog(area: String) -> Log {
        let level = getenv("LINTEL_LOG_LEVEL").flatMap { LogLevel(rawValue: String(cString: $0)) }
        let format: LogFormat? = getenv(gatewayVariable) == nil ? nil : .journal
        let sink = DescriptorSink(
            descriptor: STDERR_FILENO,
            format: format ?? .suitable(for: STDERR_FILENO, environment: [:])
        )
        return Log(area, levels: LogLevels(level ?? .info), sink: sink)
    }

    /// Serves an adapter on stdin and stdout until the gateway says `shutdown`, closes stdin, or is gone, or SIGTERM comes.
    ///
    /// stdout is pointed at stderr before the adapter is made, so that whatever vendor code prints is log text.
    /// - Parameters:
    ///   - id: the plugin's id, for the gateway's log.
    ///   - version: the plugin's version, for the gateway's log.
    ///   - makeAdapter: makes the adapter, on the loop.
    public static func run(
        id: String = "",
        version: String = "",
        adapter makeAdapter: @escaping @Loop @Sendable () -> any DeviceAdapter
    ) -> Never {
        guard let descriptor = StandardStreams.claimOutput() else {
            StandardStreams.complain("a plugin is started by the gateway, with stdin, stdout and stderr")
            exit(EX_USAGE)
        }
        // A gateway that was killed has no successor until its plugins' connections are free.
        if let gateway = getenv(gatewayVariable).flatMap({ Int32(String(cString: $0)) }) {
            try? ParentDeath.follow(parent: gateway)
        }
        Loop.runMain {
            do {
                let server = PluginServer(
                    adapter: makeAdapter(),
                    id: id,
                    version: version,
                    input: try PipeConnection(descriptor: STDIN_FILENO),
                    output: try PipeConnection(descriptor: descriptor)
                )
                let watch = try SignalWatch(SIGTERM) { server.end() }
                await server.serve()
                watch.cancel()
                return EXIT_SUCCESS
            } catch {
                StandardStreams.complain("stdin and stdout must be pipes or sockets: \(error)")
                return EX_USAGE
            }
        }
    }
}
