import JSON

/// The goals of the project beside the figures of a run.
struct Goals {
    /// One goal: what was asked, what came out.
    struct Line: Sendable {
        let goal: String
        let figure: String
        let isMet: Bool
    }

    /// The goals that this run can judge; empty for a run without a second subject.
    let lines: [Line]

    init(_ results: BenchResults) {
        guard results.subjects.count > 1, let index = results.subjects.indices.last else {
            lines = []
            return
        }
        lines =
            Self.latency(results, index) + Self.use(results, index) + Self.rates(results, index)
            + Self.memory(results, index) + Self.recovery(results, index)
    }

    private static func latency(_ results: BenchResults, _ index: Int) -> [Line] {
        Direction.allCases.flatMap { direction -> [Line] in
            var medians: [(lamps: Int, ratio: Double)] = []
            var tails: [(lamps: Int, ratio: Double)] = []
            for (lamps, figures) in results.byCount {
                guard let floor = figures[0].latency(direction), let other = figures[index].latency(direction) else {
                    continue
                }
                medians.append((lamps, other.p50 / floor.p50))
                tails.append((lamps, other.p99 / floor.p99))
            }
            return [
                ratio("\(direction) latency, p50 ≤ 1.35 × floor", medians, 1.35),
                ratio("\(direction) latency, p99 ≤ 2 × floor", tails, 2),
            ]
        }
    }

    private static func ratio(_ goal: String, _ ratios: [(lamps: Int, ratio: Double)], _ limit: Double) -> Line {
        let text = ratios.map { "\(FigureText.fixed($0.ratio, 2)) (\(FigureText.grouped($0.lamps)))" }
        return Line(
            goal: goal,
            figure: text.joined(separator: ", "),
            isMet: !ratios.isEmpty && ratios.allSatisfy { $0.ratio <= limit }
        )
    }

    private static func use(_ results: BenchResults, _ index: Int) -> [Line] {
        [(Direction.command, 0.11), (.report, 0.08)].compactMap { direction, limit in
            guard let figures = figures(results, index, lamps: 100),
                let seconds = figures.steady[direction]?["total"]?.doubleValue
            else { return nil }
            return Line(
                goal: "≤ \(limit) s per 1,000 \(direction.plural) at 800/s, 100 lamps",
                figure: FigureText.fixed(seconds, 3),
                isMet: seconds <= limit
            )
        }
    }

    private static func rates(_ results: BenchResults, _ index: Int) -> [Line] {
        [(Direction.command, 9_000.0), (.report, 18_000)].compactMap { direction, limit in
            guard let ramp = figures(results, index, lamps: 100)?.ramps[direction] else { return nil }
            return Line(
                goal: "≥ \(FigureText.fixed(limit, 0)) \(direction.plural)/s with p99 below 100 ms, 100 lamps",
                figure: FigureText.fixed(ramp.best?.rate ?? 0, 0),
                isMet: (ramp.best?.rate ?? 0) >= limit
            )
        }
    }

    private static func memory(_ results: BenchResults, _ index: Int) -> [Line] {
        var lines: [Line] = []
        if let first = results.byCount.first {
            let bytes = Double(first.results[index].proportionalBytes)
            lines.append(
                Line(
                    goal: "≤ 40 MB with two idle plugins (here one, \(FigureText.grouped(first.lamps)) lamps)",
                    figure: "\(FigureText.fixed(bytes / 1e6, 1)) MB",
                    isMet: bytes <= 40e6
                )
            )
        }
        if let bytes = results.bytesPerLamp(index) {
            lines.append(
                Line(
                    goal: "≤ 8 KiB a device",
                    figure: "\(FigureText.fixed(bytes / 1024, 1)) KiB",
                    isMet: bytes <= 8192
                )
            )
        }
        return lines
    }

    private static func recovery(_ results: BenchResults, _ index: Int) -> [Line] {
        var lines: [Line] = []
        func add(_ goal: String, _ values: [Double]?, _ limit: Double) {
            guard let values, let median = FigureText.median(values) else { return }
            lines.append(Line(goal: goal, figure: "\(FigureText.fixed(median, 0)) ms", isMet: median <= limit))
        }
        add("100 devices with state on MQTT in 1 s", figures(results, index, lamps: 100)?.starts, 1000)
        add("1,000 devices with state on MQTT in 5 s", figures(results, index, lamps: 1000)?.starts, 5000)
        add("all of 500 back within 1 s", figures(results, index, lamps: 500)?.backs, 1000)
        for lamps in [100, 500, 1000] {
            let title = "broker restarted: states of \(FigureText.grouped(lamps)) published again in 2 s"
            add(title, figures(results, index, lamps: lamps)?.brokerReturns, 2000)
        }
        return lines
    }

    private static func figures(_ results: BenchResults, _ index: Int, lamps: Int) -> CountResults? {
        results.byCount.first { $0.lamps == lamps }?.results[index]
    }
}
