import EventLoop
import Glibc
import TestSupport

/// A real `lintel run`, in a process of its own.
@Loop
final class GatewayProcess {
    let configuration: String
    /// Everything that all its runs wrote.
    private(set) var log: [UInt8] = []
    /// How the last run ended.
    private(set) var status: ChildProcess.ExitStatus?
    /// The process ids of all runs.
    private(set) var pids: [Int32] = []
    private let facts: Facts
    /// Words before the program, such as those that put it on another host.
    private let prefix: [String]
    private var child: ChildProcess?
    /// Held until they have ended, which may be after the process.
    private var streams: [PipeConnection] = []
    private var openStreams = 0

    /// - Parameter configuration: the path of its configuration.
    init(configuration: String, facts: Facts, prefix: [String] = []) {
        self.configuration = configuration
        self.facts = facts
        self.prefix = prefix
    }

    var isRunning: Bool { child != nil }

    /// The process id of the present run; 0 where there is none.
    var pid: Int32 { child?.pid ?? 0 }

    /// What it wrote, as text.
    var text: String { String(decoding: log, as: UTF8.self) }

    /// Starts it; returns at once.
    func start(_ options: [String] = []) throws(any Error) {
        precondition(child == nil, "it runs already")
        status = nil
        let words = prefix + [try Programs.path("lintel"), "run", "--config", configuration] + options
        let child = try ChildProcess(
            executable: words[0],
            arguments: Array(words.dropFirst()),
            environment: Programs.environment,
            stdin: .null
        ) { [self] status in
            self.child = nil
            self.status = status
            facts.changed()
        }
        streams = [child.stdout, child.stderr].compactMap { $0 }
        openStreams = streams.count
        for stream in streams {
            stream.onBytes = { [self] in
                log += $0
                facts.changed()
            }
            stream.onClose = { [self] _ in
                openStreams -= 1
                facts.changed()
            }
        }
        self.child = child
        pids.append(child.pid)
    }

    /// Kills it as a power cut would, and waits until it is gone.
    func kill() async throws {
        child?.signal(SIGKILL, toGroup: false)
        try await ended()
    }

    /// Ends it in good order.
    func stop() async throws {
        child?.signal(SIGTERM, toGroup: false)
        try await ended()
    }

    func signal(_ signal: Int32) { child?.signal(signal, toGroup: false) }

    /// Waits until it has ended and all that it wrote is here.
    @discardableResult
    func ended() async throws -> ChildProcess.ExitStatus? {
        try await facts.until("the gateway ends") { [self] in child == nil && openStreams == 0 }
        return status
    }

    /// The plugin processes of the present run, by the names of their executables.
    var plugins: [String: Int32] {
        guard let child else { return [:] }
        var found: [String: Int32] = [:]
        for pid in ProcessTable.children(of: child.pid) {
            guard let path = ProcessTable.commandLine(of: pid).first else { continue }
            found[String(path.split(separator: "/").last ?? "")] = pid
        }
        return found
    }
}
