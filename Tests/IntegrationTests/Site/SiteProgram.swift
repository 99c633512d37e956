import EventLoop
import Glibc
import TestSupport

/// A simulator on one of a site's hosts.
@Loop
final class SiteProgram {
    private let facts: Facts
    private var child: ChildProcess?
    private var output: [UInt8] = []

    /// Starts `lintel-simulator` with arguments.
    init(_ arguments: [String], on host: SiteNetwork.Host, of network: SiteNetwork, facts: Facts) throws {
        self.facts = facts
        let words = network.on(host, [try Programs.path("lintel-simulator")] + arguments)
        let child = try ChildProcess(
            executable: words[0],
            arguments: Array(words.dropFirst()),
            environment: Programs.environment
        ) { [self] _ in
            self.child = nil
            facts.changed()
        }
        for stream in [child.stdout, child.stderr] {
            stream?.onBytes = { [self] in
                output += $0
                facts.changed()
            }
        }
        self.child = child
    }

    /// What it wrote.
    var text: String { String(decoding: output, as: UTF8.self) }

    var isRunning: Bool { child != nil }

    /// Gives it a line on its control channel.
    func say(_ line: String) { child?.stdin?.write(Array((line + "\n").utf8)) }

    func stop() async {
        child?.signal(SIGKILL, toGroup: true)
        _ = try? await facts.until("a simulator ends", within: .seconds(10)) { [self] in child == nil }
    }
}
