import EventLoop
import Glibc
import Simulators

/// A subject at work: its processes and its lamps.
@Loop
final class RunningSubject {
    let subject: any Subject
    let house: TuyaLampHouse
    private let log = ProcessLog()
    private var process: ChildProcess?
    private var status: String?
    /// When the process was started.
    private(set) var started = Loop.now

    init(_ subject: any Subject, _ house: TuyaLampHouse) {
        self.subject = subject
        self.house = house
    }

    func start(broker: UInt16, folder: String) throws {
        let command = try subject.command(broker: broker, house: house, folder: folder)
        started = Loop.now
        let process = try Children.all.start(
            command.executable,
            command.arguments,
            environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": folder]
        ) { [weak self] status in
            self?.status = "\(status)"
            self?.process = nil
        }
        log.follow(process.stderr)
        self.process = process
    }

    /// The process and those it has started, itself first.
    var pids: [Int32] {
        guard let pid = process?.pid else { return [] }
        return [pid] + ProcessMeter(pid: pid).descendants
    }

    /// Throws where the process has ended by itself.
    func check() throws(BenchError) {
        guard process == nil, let status else { return }
        throw .ended(subject.name, status: status, log: log.text)
    }

    func stop() async throws {
        process?.signal(SIGTERM, toGroup: false)
        let deadline = Loop.now + .seconds(10)
        while process != nil, Loop.now < deadline { try await Loop.sleep(for: .milliseconds(2)) }
        process?.signal(SIGKILL, toGroup: true)
        while process != nil { try await Loop.sleep(for: .milliseconds(2)) }
    }
}
