import EventLoop

/// Messages so seldom that every process sleeps between two, in slices that alternate between the subjects.
@Loop
struct PacedExperiment {
    let rig: Rig
    let rate: Double
    /// For each subject and direction.
    let messages: Int
    let slice: Duration

    /// What one subject showed in one direction.
    struct Figures: Sendable {
        var latencies = Latencies()
        var sent = 0
        var lost = 0
        var superseded = 0
        var use: [(name: String, seconds: Double)] = []
        var answers = Latencies()
        var errorAnswers = 0

        mutating func add(_ used: ProcessUse) {
            if use.isEmpty {
                use = used.seconds
            } else {
                for index in use.indices where index < used.seconds.count {
                    use[index].seconds += used.seconds[index].seconds
                }
            }
        }
    }

    /// Runs all slices.
    ///
    /// - Returns: for each subject, by direction.
    func run() async throws -> [[Direction: Figures]] {
        var figures = rig.subjects.map { _ in [Direction: Figures]() }
        let perSlice = max(1, Int(rate * slice.milliseconds / 1000))
        let slices = max(1, (messages + perSlice - 1) / perSlice)
        for _ in 0..<slices {
            for direction in Direction.allCases {
                for index in rig.subjects.indices {
                    try await runSlice(index, direction, &figures[index][direction, default: Figures()])
                }
            }
        }
        return figures
    }

    private func runSlice(_ index: Int, _ direction: Direction, _ figures: inout Figures) async throws {
        let traffic = rig.traffics[index]
        traffic.reset()
        let pids = rig.subjects[index].pids
        let before = ProcessUse(pids)
        var turn = Int.random(in: 0..<traffic.lampCount)
        _ = await Pacer.run(rate: rate, for: slice) {
            // A stride that has no divisor in common with the usual counts visits every lamp.
            turn = (turn + 7919) % traffic.lampCount
            traffic.send(direction, lamp: turn)
        }
        let deadline = Loop.now + .seconds(2)
        while traffic.tally(direction).open > 0, Loop.now < deadline { try await Loop.sleep(for: .milliseconds(2)) }
        if direction == .command { try await Loop.sleep(for: .milliseconds(5)) }
        figures.add(ProcessUse(pids).since(before))
        let tally = traffic.tally(direction)
        figures.latencies.add(tally.latencies)
        figures.sent += tally.sent
        figures.superseded += tally.superseded
        figures.lost += tally.open
        figures.answers.add(traffic.answers.latencies)
        figures.errorAnswers += traffic.errorAnswers
        traffic.reset()
        try rig.subjects[index].check()
    }
}
