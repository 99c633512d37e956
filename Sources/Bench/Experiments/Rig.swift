import EventLoop
import Glibc

/// Everything of one part of the run: a fresh broker, the load's client, and subjects at work.
@Loop
final class Rig {
    let broker: Broker
    let folder: String
    private(set) var client: LoadClient
    private(set) var traffics: [Traffic] = []
    let subjects: [RunningSubject]

    /// Starts the broker and the load's client; the subjects are still to be started.
    init(_ subjects: [RunningSubject], folder: String) async throws {
        self.subjects = subjects
        self.folder = folder
        broker = try Broker(port: try Broker.freePort(), folder: folder)
        try await broker.start()
        client = try await Self.connect(broker.port, subjects)
        listen()
    }

    private static func connect(_ port: UInt16, _ subjects: [RunningSubject]) async throws -> LoadClient {
        try await LoadClient.connect(
            port: port,
            clientID: "lintel-bench",
            filters: subjects.map { "\($0.subject.baseTopic)/device/+/state" }
        )
    }

    private func listen() {
        traffics = subjects.map { Traffic($0, client) }
        let traffics = traffics
        client.onMessage = { topic, payload, moment in
            for traffic in traffics { traffic.receive(topic: topic, payload: payload, at: moment) }
        }
    }

    /// Starts a subject.
    ///
    /// - Returns: milliseconds until the state of its last lamp was on MQTT.
    func start(_ index: Int) async throws -> Double {
        let subject = subjects[index]
        let home = folder + "/\(subject.subject.name)"
        mkdir(home, 0o755)
        traffics[index].forgetStates()
        try subject.start(broker: broker.port, folder: home)
        return try await untilSeen(index, since: subject.started)
    }

    /// Waits until the states of all lamps of a subject have been seen.
    func untilSeen(_ index: Int, since start: MonotonicTime) async throws -> Double {
        let traffic = traffics[index]
        let deadline = Loop.now + .seconds(60)
        while traffic.seenCount < traffic.lampCount {
            try subjects[index].check()
            guard Loop.now < deadline else {
                let name = subjects[index].subject.name
                throw BenchError.timedOut("\(name): \(traffic.seenCount) of \(traffic.lampCount) states seen")
            }
            try await Loop.sleep(for: .milliseconds(5))
        }
        return ((traffic.lastSeen ?? Loop.now) - start).milliseconds
    }

    /// Kills the broker and starts another at the same port.
    ///
    /// - Returns: when it accepted connections; the load listens again, and no state has been seen.
    func restartBroker() async throws -> MonotonicTime {
        await client.stop()
        try await broker.kill()
        let moment = try await broker.start()
        client = try await Self.connect(broker.port, subjects)
        listen()
        return moment
    }

    /// Waits until nothing more arrives.
    func settle(_ index: Int, atMost limit: Duration = .seconds(15)) async throws {
        let deadline = Loop.now + limit
        var last = -1
        while Loop.now < deadline {
            let traffic = traffics[index]
            let arrived = traffic.commands.arrived + traffic.reports.arrived
            if arrived == last, client.outstanding == 0 { break }
            last = arrived
            try await Loop.sleep(for: .milliseconds(300))
        }
        traffics[index].reset()
        try subjects[index].check()
    }

    func stop() async throws {
        for subject in subjects { try await subject.stop() }
        await client.stop()
        try await broker.kill()
    }
}
