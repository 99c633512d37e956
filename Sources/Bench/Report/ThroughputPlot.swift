/// The highest sustained rates as bars.
struct ThroughputPlot {
    private static let left = 190.0
    private static let width = 520.0
    private static let barHeight = 18.0

    let results: BenchResults

    private struct Group {
        let title: String
        let rates: [Double?]
    }

    private var groups: [Group] {
        results.byCount.flatMap { lamps, results in
            Direction.allCases.compactMap { direction in
                let rates = results.map { $0.ramps[direction]?.best?.rate }
                guard results.contains(where: { $0.ramps[direction] != nil }) else { return nil }
                return Group(title: "\(direction.plural), \(FigureText.grouped(lamps)) lamps", rates: rates)
            }
        }
    }

    var svg: String {
        let groups = groups
        let groupHeight = Self.barHeight * Double(results.subjects.count) + 22
        let height = 84 + groupHeight * Double(groups.count) + 60
        var canvas = SVGCanvas(width: 800, height: height, title: "Highest sustained rates")
        canvas.text(24, 30, "Highest rate with p99 below 100 ms, messages a second", .start, "head")
        for (index, name) in results.subjects.enumerated() {
            canvas.bar(24 + Double(index) * 90, 44, 12, 12, "f\(index)")
            canvas.text(42 + Double(index) * 90, 54, name)
        }
        let axis = Axis(groups.flatMap { $0.rates.compactMap { $0 } })
        let bottom = 76 + groupHeight * Double(groups.count)
        for tick in axis.ticks {
            let x = Self.left + Self.width * tick / axis.maximum
            canvas.line(x, 72, x, bottom, "grid")
            canvas.text(x, bottom + 16, FigureText.grouped(Int(tick)), .middle, "quiet")
        }
        for (position, group) in groups.enumerated() {
            let top = 84 + groupHeight * Double(position)
            let middle = top + Self.barHeight * Double(results.subjects.count) / 2 + 4
            canvas.text(Self.left - 12, middle, group.title, .end)
            for (index, rate) in group.rates.enumerated() {
                let y = top + Self.barHeight * Double(index)
                let length = Self.width * (rate ?? 0) / axis.maximum
                canvas.bar(Self.left, y, length, Self.barHeight - 3, "f\(index)")
                canvas.text(
                    Self.left + length + 6,
                    y + 12,
                    rate.map { FigureText.fixed($0, 0) } ?? "none",
                    .start,
                    "quiet"
                )
            }
        }
        canvas.text(24, bottom + 44, results.machine.text, .start, "quiet")
        return canvas.svg
    }
}
