import Config
import EventLoop
import Glibc
import Log

/// `lintel run`: the gateway until somebody ends it.
@Loop
enum RunVerb {
    static func run(_ invocation: Invocation, _ terminal: Terminal) async throws -> ExitCode {
        let path = try ConfigLocation.find(invocation)
        let configuration = try ConfigLocation.load(path)
        return try await run(configuration, path: path, level: invocation.options["log-level"])
    }

    /// Runs the gateway of a configuration until SIGTERM or SIGINT.
    ///
    /// - Parameters:
    ///   - path: the file that it was read from.
    ///   - whenUp: called once it is started.
    static func run(
        _ configuration: Configuration,
        path: String,
        level: String?,
        whenUp: @escaping @Loop () -> Void = {}
    ) async throws -> ExitCode {
        let (log, levels) = try makeLog(configuration.log, level: level)
        let interruption = Interruption()
        let gateway = Gateway(configuration: configuration, path: path, log: log, levels: levels)
        gateway.onRestart = { interruption.end(.restart) }
        do throws(Failure) {
            try await gateway.start()
        } catch {
            await gateway.stop()
            throw error
        }
        whenUp()
        let ending = await interruption.wait()
        await gateway.stop()
        if ending == .restart { try becomeAnew() }
        return .ok
    }

    /// Puts a new process with the same command line in the place of this one, which keeps its id.
    private static func becomeAnew() throws(Failure) {
        let arguments = CommandLine.arguments.map { strdup($0) } + [nil]
        execv("/proc/self/exe", arguments)
        throw Failure(.failed, "The program cannot be started again: \(String(cString: strerror(errno))).")
    }

    private static func makeLog(_ settings: LogSettings, level: String?) throws(Failure) -> (Log, LogLevels) {
        var standard = settings.level
        if let level {
            guard let known = LogLevel(rawValue: level) else {
                throw Failure(
                    .usage,
                    "--log-level must be one of \(LogLevel.allCases.map(\.rawValue).joined(separator: ", "))."
                )
            }
            standard = known
        }
        let levels = LogLevels(standard, areas: settings.areas)
        let format: LogFormat =
            switch settings.format {
            case .automatic: .suitable(for: STDERR_FILENO, environment: ProcessEnvironment.all)
            case .text: .text
            case .json: .json
            }
        return (Log("lintel", levels: levels, sink: DescriptorSink(descriptor: STDERR_FILENO, format: format)), levels)
    }
}
