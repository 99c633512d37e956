import EventLoop
import JSON

/// Processor time at a steady rate, in slices that alternate between the subjects.
@Loop
struct SteadyExperiment {
    let rig: Rig
    let options: BenchOptions

    /// Runs the slices.
    ///
    /// - Returns: for each subject and direction, seconds per 1,000 messages by process.
    func run() async throws -> [[Direction: JSON]] {
        var sums = rig.subjects.map { _ in [Direction: PacedExperiment.Figures]() }
        for _ in 0..<(options.isQuick ? 1 : 3) {
            for direction in Direction.allCases {
                for index in rig.subjects.indices {
                    try await slice(index, direction, &sums[index][direction, default: .init()])
                }
            }
        }
        return sums.map { directions in directions.mapValues { $0.useJSON } }
    }

    private func slice(
        _ index: Int,
        _ direction: Direction,
        _ sum: inout PacedExperiment.Figures
    ) async throws {
        let traffic = rig.traffics[index]
        traffic.reset()
        let pids = rig.subjects[index].pids
        let before = ProcessUse(pids)
        var turn = 0
        _ = await Pacer.run(rate: options.steadyRate, for: options.trial) {
            turn = (turn + 1) % traffic.lampCount
            traffic.send(direction, lamp: turn)
        }
        let deadline = Loop.now + .seconds(2)
        while traffic.tally(direction).open > 0, Loop.now < deadline { try await Loop.sleep(for: .milliseconds(2)) }
        try await Loop.sleep(for: .milliseconds(20))
        sum.add(ProcessUse(pids).since(before))
        let tally = traffic.tally(direction)
        sum.sent += tally.sent
        sum.lost += tally.open
        sum.superseded += tally.superseded
        try await rig.settle(index)
    }
}

extension PacedExperiment.Figures {
    /// Seconds of processor time per 1,000 messages, by process and in all.
    var useJSON: JSON {
        let scale = sent > 0 ? 1000 / Double(sent) : .nan
        var object = JSONObject(use.map { ($0.name, JSON.rounded($0.seconds * scale)) })
        object["total"] = .rounded(use.reduce(0) { $0 + $1.seconds } * scale)
        return .object(object)
    }
}
