import EventLoop
import Glibc
import JSON

/// Looks for the highest rate at which a subject still delivers everything with a p99 below 100 ms, open loop.
@Loop
struct RampExperiment {
    /// The latency that ends it, in milliseconds.
    private static let limit = 100.0
    /// The share of messages that bridges may merge with newer ones to the same lamp.
    private static let mergeable = 0.01
    /// The share of the rate that the load must have offered for a trial to count.
    private static let offered = 0.97

    let rig: Rig
    let index: Int
    let direction: Direction
    let options: BenchOptions

    /// What a trial showed.
    struct Trial: Sendable {
        let rate: Double
        let isGood: Bool
        let latency: LatencySummary?
        /// The part of a core that each party used.
        let shares: [(name: String, cores: Double)]
        /// Why it was not good.
        let fault: String?
    }

    /// The best trial, and what ended the search.
    struct Outcome: Sendable {
        let best: Trial?
        let limit: String

        var json: JSON {
            [
                "per_second": .rounded(best?.rate), "latency": best?.latency?.json ?? .null,
                "cores_used": .object(JSONObject((best?.shares ?? []).map { ($0.name, JSON.rounded($0.cores)) })),
                "limited_by": .string(limit),
            ]
        }
    }

    func run() async throws -> Outcome {
        var rate = options.rampStart
        var best: Trial?
        var limit = ""
        var bad = Double.infinity
        while bad.isInfinite, rate <= options.rampEnd {
            let trial = try await self.trial(rate)
            if trial.isGood { best = trial } else { (bad, limit) = (rate, trial.fault ?? "") }
            rate *= options.isQuick ? 2 : 1.5
        }
        guard bad.isFinite else { return Outcome(best: best, limit: "the end of the ramp") }
        for _ in 0..<options.rampSteps {
            let middle = ((best?.rate ?? 0) + bad) / 2
            let trial = try await self.trial(middle)
            if trial.isGood { best = trial } else { (bad, limit) = (middle, trial.fault ?? "") }
        }
        return Outcome(best: best, limit: limit)
    }

    /// Tries a rate; a bad trial is repeated once, since other programs of the machine spoil some.
    private func trial(_ rate: Double) async throws -> Trial {
        let first = try await attempt(rate)
        return first.isGood || options.isQuick ? first : try await attempt(rate)
    }

    private func attempt(_ rate: Double) async throws -> Trial {
        let traffic = rig.traffics[index]
        traffic.reset()
        var turn = 0
        let parties = Self.parties(rig, index)
        let before = parties.map { ProcessUse($0.pids) }
        let outcome = await Pacer.run(rate: rate, for: options.trial) {
            turn = (turn + 1) % traffic.lampCount
            traffic.send(direction, lamp: turn)
        }
        let elapsed = outcome.elapsed.milliseconds / 1000
        let shares = zip(parties, before).map { party, use in
            (party.name, ProcessUse(party.pids).since(use).total / elapsed)
        }
        let deadline = Loop.now + .seconds(1)
        while traffic.tally(direction).open > 0, Loop.now < deadline { try await Loop.sleep(for: .milliseconds(5)) }
        let tally = traffic.tally(direction)
        let latency = tally.latencies.summary()
        let fault = Self.fault(tally, latency, outcome, rate)
        try await rig.settle(index)
        return Trial(rate: rate, isGood: fault == nil, latency: latency, shares: shares, fault: fault)
    }

    /// Whose processor time counts: the load with its lamps, the broker, and the subject.
    private static func parties(_ rig: Rig, _ index: Int) -> [(name: String, pids: [Int32])] {
        let subject = rig.subjects[index]
        return [
            ("load", [getpid()]), ("broker", rig.broker.pid.map { [$0] } ?? []), (subject.subject.name, subject.pids),
        ]
    }

    private static func fault(
        _ tally: Traffic.Tally,
        _ latency: LatencySummary?,
        _ outcome: Pacer.Outcome,
        _ rate: Double
    ) -> String? {
        guard let latency else { return "nothing arrived" }
        if outcome.rate < offered * rate { return "the load: it offered \(Int(outcome.rate)) of \(Int(rate))/s" }
        if tally.open > 0 { return "\(tally.open) of \(tally.sent) not arrived after 1 s" }
        if Double(tally.superseded) > mergeable * Double(tally.sent) {
            return "\(tally.superseded) of \(tally.sent) merged with newer ones"
        }
        if latency.p99 >= limit { return "p99 of \(Int(latency.p99)) ms" }
        return nil
    }
}
