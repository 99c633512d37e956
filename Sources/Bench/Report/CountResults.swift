import JSON

/// Everything that one subject showed with one number of lamps.
struct CountResults: Sendable {
    /// Milliseconds, one for each round.
    var starts: [Double] = []
    var backs: [Double] = []
    var brokerReturns: [Double] = []
    /// The most connections within 10 ms after all were dropped, one for each round.
    var herds: [Int] = []
    /// Idle, by process.
    var memory: [ProcessMemory] = []
    var paced: [Direction: PacedExperiment.Figures] = [:]
    /// Seconds per 1,000 messages at the steady rate.
    var steady: [Direction: JSON] = [:]
    var ramps: [Direction: RampExperiment.Outcome] = [:]

    var proportionalBytes: Int { memory.reduce(0) { $0 + $1.proportional } }
    var residentBytes: Int { memory.reduce(0) { $0 + $1.resident } }

    func latency(_ direction: Direction) -> LatencySummary? { paced[direction]?.latencies.summary() }

    /// Milliseconds from a command's publish to its answer, where the subject answers.
    var answers: LatencySummary? { paced[.command]?.answers.summary() }

    var json: JSON {
        var object: JSONObject = ["start_ms": Self.list(starts)]
        if !backs.isEmpty {
            object["back_ms"] = Self.list(backs)
            object["herd_per_10ms"] = .array(herds.map { JSON($0) })
            object["broker_return_ms"] = Self.list(brokerReturns)
        }
        object["memory_bytes"] = .object(JSONObject(memory.map { ($0.name, $0.json) }))
        for direction in Direction.allCases {
            guard let figures = paced[direction] else { continue }
            var paced: JSONObject = [
                "latency": figures.latencies.summary()?.json ?? .null, "sent": JSON(figures.sent),
                "lost": JSON(figures.lost), "merged": JSON(figures.superseded), "cpu_s_per_1000": figures.useJSON,
            ]
            if let answers = figures.answers.summary() {
                paced["answers"] = answers.json
                paced["error_answers"] = JSON(figures.errorAnswers)
            }
            object["paced_\(direction.plural)"] = .object(paced)
            object["steady_\(direction.plural)_cpu_s_per_1000"] = steady[direction]
            object["highest_\(direction.plural)"] = ramps[direction]?.json
        }
        return .object(object)
    }

    private static func list(_ values: [Double]) -> JSON { .array(values.map { JSON.rounded($0) }) }
}
