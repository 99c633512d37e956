import JSON

/// The results as Markdown tables.
struct MarkdownReport {
    let results: BenchResults

    var text: String {
        """
        # Results of `make bench`

        \(results.machine.text). Lamps, load, broker and bridges share these cores; floor and Lintel run at the same time and are
        measured in turns. Milliseconds unless said otherwise. What each figure means: ../README.md.

        \(goals)## Latency, 50 messages a second

        \(latency)
        ## Processor time, seconds per 1,000 messages

        \(use)
        ## Highest rate with p99 below 100 ms, messages a second

        \(rates)
        ## Memory, idle: proportional and resident MiB

        \(memory)
        ## Start, and return after faults

        \(recovery)
        ## JSON, a state message of \(results.jsonSpeed["bytes"]?.intValue ?? 0) bytes, microseconds

        \(json)
        """
    }

    private var names: [String] { results.subjects }

    private func table(_ head: [String], _ rows: [[String]]) -> String {
        var lines = ["| " + head.joined(separator: " | ") + " |", "|" + String(repeating: "---|", count: head.count)]
        lines += rows.map { "| " + $0.joined(separator: " | ") + " |" }
        return lines.joined(separator: "\n") + "\n"
    }

    private var goals: String {
        let lines = Goals(results).lines
        guard !lines.isEmpty else { return "" }
        let rows = lines.map { [$0.goal, $0.figure, $0.isMet ? "met" : "missed"] }
        return "## Goals\n\n" + table(["goal", "figure (lamps)", ""], rows) + "\n"
    }

    private var latency: String {
        var rows: [[String]] = []
        for (lamps, results) in results.byCount {
            for direction in Direction.allCases {
                let summaries = results.map { $0.latency(direction) }
                var row = [FigureText.grouped(lamps), direction.rawValue]
                row += summaries.map { Self.text($0) }
                if summaries.count > 1 { row.append(Self.ratio(summaries[1], summaries[0])) }
                rows.append(row)
            }
            for (index, result) in results.enumerated() {
                guard let answers = result.answers else { continue }
                var row = [FigureText.grouped(lamps), "answer to a command"] + names.map { _ in "–" }
                row[2 + index] = Self.text(answers)
                if names.count > 1 { row.append("–") }
                rows.append(row)
            }
        }
        let head = ["lamps", "direction"] + names.map { "\($0): p50 / p95 / p99 / max" }
        return table(head + (names.count > 1 ? ["ratio p50, p99"] : []), rows)
    }

    private static func text(_ summary: LatencySummary?) -> String {
        guard let summary else { return "–" }
        return [summary.p50, summary.p95, summary.p99, summary.maximum].map { FigureText.fixed($0, 2) }
            .joined(separator: " / ")
    }

    private static func ratio(_ other: LatencySummary?, _ floor: LatencySummary?) -> String {
        guard let other, let floor else { return "–" }
        return "\(FigureText.fixed(other.p50 / floor.p50, 2)), \(FigureText.fixed(other.p99 / floor.p99, 2))"
    }

    private var use: String {
        var rows: [[String]] = []
        for (lamps, results) in results.byCount {
            for direction in Direction.allCases {
                let paced = results.map { Self.use($0.paced[direction]?.useJSON) }
                rows.append([FigureText.grouped(lamps), direction.rawValue, "50/s"] + paced)
                guard results.contains(where: { $0.steady[direction] != nil }) else { continue }
                rows.append(
                    [FigureText.grouped(lamps), direction.rawValue, "800/s"]
                        + results.map { Self.use($0.steady[direction]) }
                )
            }
        }
        return table(["lamps", "direction", "rate"] + names, rows)
    }

    private static func use(_ json: JSON?) -> String {
        guard let object = json?.objectValue, let total = object["total"]?.doubleValue else { return "–" }
        let parts = object.filter { $0.key != "total" }
        guard parts.count > 1 else { return FigureText.fixed(total, 3) }
        let text = parts.map { "\($0.key) \(FigureText.fixed($0.value.doubleValue ?? .nan, 3))" }.joined(
            separator: ", "
        )
        return "\(FigureText.fixed(total, 3)) (\(text))"
    }

    private var rates: String {
        var rows: [[String]] = []
        for (lamps, results) in results.byCount where results.contains(where: { !$0.ramps.isEmpty }) {
            for direction in Direction.allCases {
                let cells = results.map { result -> String in
                    guard let ramp = result.ramps[direction] else { return "–" }
                    let shares = (ramp.best?.shares ?? []).map { "\($0.name) \(FigureText.fixed($0.cores, 2))" }
                    let cores = shares.isEmpty ? "" : " (cores: \(shares.joined(separator: ", ")))"
                    return "\(ramp.best.map { FigureText.fixed($0.rate, 0) } ?? "none")\(cores); then \(ramp.limit)"
                }
                rows.append([FigureText.grouped(lamps), direction.rawValue] + cells)
            }
        }
        return table(["lamps", "direction"] + names, rows)
    }

    private var memory: String {
        var rows = results.byCount.map { lamps, results in
            [FigureText.grouped(lamps)]
                + results.map { result in
                    let parts = result.memory.map { "\($0.name) \(Self.mebibytes($0.proportional))" }
                    return
                        "\(Self.mebibytes(result.proportionalBytes)), resident \(Self.mebibytes(result.residentBytes))"
                        + (parts.count > 1 ? " (\(parts.joined(separator: ", ")))" : "")
                }
        }
        rows.append(
            ["each more lamp"]
                + names.indices.map { results.bytesPerLamp($0).map { "\(FigureText.fixed($0 / 1024, 1)) KiB" } ?? "–" }
        )
        return table(["lamps"] + names, rows)
    }

    private static func mebibytes(_ bytes: Int) -> String { FigureText.fixed(Double(bytes) / 1_048_576, 1) }

    private var recovery: String {
        var rows: [[String]] = []
        for (lamps, results) in results.byCount {
            let kinds: [(String, (CountResults) -> [Double])] = [
                ("start until the last state is on MQTT", { $0.starts }),
                ("all connections drop: the last lamp is back", { $0.backs }),
                ("the most connections within 10 ms of that", { $0.herds.map(Double.init) }),
                ("broker restarts: the last state is on it", { $0.brokerReturns }),
            ]
            for (title, values) in kinds where results.contains(where: { !values($0).isEmpty }) {
                rows.append(
                    [FigureText.grouped(lamps), title]
                        + results.map { FigureText.median(values($0)).map { FigureText.fixed($0, 0) } ?? "–" }
                )
            }
        }
        return table(["lamps", "median of the rounds"] + names, rows)
    }

    private var json: String {
        let ways = [
            ("lintel", "Lintel"), ("codable", "Foundation's Codable"), ("json_serialization", "JSONSerialization"),
        ]
        let times = ways.map { key, _ in
            ["parse_ns", "write_ns"].map { (results.jsonSpeed[key]?[$0]?.doubleValue ?? .nan) / 1000 }
        }
        let rows = zip(ways, times).map { way, time in
            [way.1] + time.map { FigureText.fixed($0, 2) } + [
                FigureText.fixed((time[0] + time[1]) / (times[0][0] + times[0][1]), 1)
            ]
        }
        return table(["way", "parse", "write", "both, times ours"], rows)
    }
}
