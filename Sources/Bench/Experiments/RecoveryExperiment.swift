import EventLoop
import JSON
import Simulators

/// One subject alone: its start, its return after all lamps drop their connections, and after the broker restarts.
@Loop
struct RecoveryExperiment {
    let subject: RunningSubject
    let folder: String
    let options: BenchOptions
    /// Whether faults are tried as well, not the start alone.
    let triesFaults: Bool

    /// What one round showed, in milliseconds.
    struct Round: Sendable {
        var start = 0.0
        /// Until the last lamp had a session that has asked for its state.
        var back: Double?
        /// The most connections that arrived within 10 ms.
        var herd: Int?
        /// Until the last state was on the new broker.
        var broker: Double?
    }

    func run() async throws -> Round {
        let rig = try await Rig([subject], folder: folder)
        var round = Round()
        round.start = try await rig.start(0)
        if triesFaults {
            try await Loop.sleep(for: options.settling)
            (round.back, round.herd) = try await dropAll(rig)
            try await Loop.sleep(for: .seconds(options.isQuick ? 1 : 6))
            rig.traffics[0].forgetStates()
            let restarted = try await rig.restartBroker()
            round.broker = try await rig.untilSeen(0, since: restarted)
        }
        try await rig.stop()
        return round
    }

    private func dropAll(_ rig: Rig) async throws -> (back: Double, herd: Int) {
        let lamps = subject.house.lamps
        var answered = Set<String>()
        var last = Loop.now
        var connections: [MonotonicTime] = []
        let start = Loop.now
        for lamp in lamps {
            lamp.drop()
            lamp.onEvent = { lamp, event in
                switch event {
                case .connected: connections.append(Loop.now)
                case .answered where answered.insert(lamp.identity.id).inserted: last = Loop.now
                default: break
                }
            }
        }
        defer { for lamp in lamps { lamp.onEvent = nil } }
        let deadline = start + .seconds(90)
        while answered.count < lamps.count {
            try subject.check()
            guard Loop.now < deadline else {
                throw BenchError.timedOut("\(subject.subject.name): \(answered.count) of \(lamps.count) lamps are back")
            }
            try await Loop.sleep(for: .milliseconds(5))
        }
        return ((last - start).milliseconds, Self.densest(connections))
    }

    /// The most moments within 10 ms.
    private static func densest(_ moments: [MonotonicTime]) -> Int {
        var most = 0
        var first = 0
        for (index, moment) in moments.enumerated() {
            while moment - moments[first] > .milliseconds(10) { first += 1 }
            most = max(most, index - first + 1)
        }
        return most
    }
}
