import JSON

/// The results of a run: for each number of lamps, for each subject.
struct BenchResults: Sendable {
    /// In the order in which they are shown; the floor first.
    let subjects: [String]
    let machine: Machine
    let conditions: JSONObject
    /// JSON against Foundation's, see ``JSONBenchmark``.
    let jsonSpeed: JSON
    private(set) var byCount: [(lamps: Int, results: [CountResults])] = []

    init(subjects: [String], machine: Machine, conditions: JSONObject, jsonSpeed: JSON) {
        self.jsonSpeed = jsonSpeed
        self.subjects = subjects
        self.machine = machine
        self.conditions = conditions
    }

    mutating func add(lamps: Int, _ results: [CountResults]) {
        byCount.append((lamps, results))
    }

    /// What one more lamp takes, in bytes, from the smallest and the largest number of lamps.
    func bytesPerLamp(_ subject: Int) -> Double? {
        guard let first = byCount.first, let last = byCount.last, last.lamps > first.lamps else { return nil }
        let difference = last.results[subject].proportionalBytes - first.results[subject].proportionalBytes
        return Double(difference) / Double(last.lamps - first.lamps)
    }

    var json: JSON {
        var runs: [JSON] = []
        for (lamps, results) in byCount {
            var run: JSONObject = ["lamps": JSON(lamps)]
            for (name, result) in zip(subjects, results) { run[name] = result.json }
            if results.count > 1 { run["ratios"] = ratios(results) }
            runs.append(.object(run))
        }
        var perLamp = JSONObject()
        for (index, name) in subjects.enumerated() { perLamp[name] = .rounded(bytesPerLamp(index)) }
        return [
            "format": "lintel-bench/1", "machine": machine.json, "conditions": .object(conditions),
            "runs": .array(runs), "memory_bytes_per_lamp": .object(perLamp),
            "json": jsonSpeed,
        ]
    }

    /// The others' latencies in units of the floor's.
    private func ratios(_ results: [CountResults]) -> JSON {
        var object = JSONObject()
        for (name, result) in zip(subjects, results).dropFirst() {
            for direction in Direction.allCases {
                guard let floor = results[0].latency(direction), let other = result.latency(direction) else { continue }
                object["\(name)_\(direction)_p50"] = .rounded(other.p50 / floor.p50)
                object["\(name)_\(direction)_p99"] = .rounded(other.p99 / floor.p99)
            }
        }
        return .object(object)
    }
}
