/// Paced latencies over the number of lamps: median and 99th percentile, commands and reports side by side.
struct LatencyPlot {
    private struct Panel {
        let left: Double
        let direction: Direction
    }

    private static let top = 96.0
    private static let bottom = 330.0
    private static let panelWidth = 320.0

    let results: BenchResults

    var svg: String {
        var canvas = SVGCanvas(width: 800, height: 396, title: "Latency over the number of lamps")
        canvas.text(24, 30, "Latency at 50 messages a second, milliseconds, logarithmic", .start, "head")
        legend(&canvas)
        let values = results.byCount.flatMap { _, results in
            results.flatMap { result in
                Direction.allCases.flatMap { [result.latency($0)?.p50, result.latency($0)?.p99].compactMap { $0 } }
            }
        }
        let axis = LogAxis(values)
        draw(Panel(left: 60, direction: .command), axis, &canvas)
        draw(Panel(left: 450, direction: .report), axis, &canvas)
        canvas.text(24, 380, results.machine.text, .start, "quiet")
        return canvas.svg
    }

    private func legend(_ canvas: inout SVGCanvas) {
        var x = 24.0
        for (index, name) in results.subjects.enumerated() {
            for (figure, thin) in [("p50", ""), ("p99", " thin")] {
                canvas.line(x, 50, x + 26, 50, SVGCanvas.series(index) + thin)
                if thin.isEmpty { canvas.dot(x + 13, 50, "f\(index)") }
                canvas.text(x + 32, 54, "\(name) \(figure)")
                x += 110
            }
        }
    }

    private func draw(_ panel: Panel, _ axis: LogAxis, _ canvas: inout SVGCanvas) {
        let title = panel.direction == .command ? "publish to lamp" : "lamp to subscriber"
        canvas.text(panel.left, Self.top - 16, title, .start, "panel")
        for tick in axis.ticks {
            let y = Self.y(tick, axis)
            canvas.line(panel.left, y, panel.left + Self.panelWidth, y, "grid")
            canvas.text(panel.left - 8, y + 4, FigureText.short(tick).trimmedZeros, .end, "quiet")
        }
        for (position, entry) in results.byCount.enumerated() {
            canvas.text(x(position, panel), Self.bottom + 20, FigureText.grouped(entry.lamps), .middle, "quiet")
        }
        canvas.text(panel.left + Self.panelWidth / 2, Self.bottom + 36, "lamps", .middle, "quiet")
        for index in results.subjects.indices { drawSeries(index, panel, axis, &canvas) }
    }

    private func drawSeries(_ index: Int, _ panel: Panel, _ axis: LogAxis, _ canvas: inout SVGCanvas) {
        var median: [(x: Double, y: Double)] = []
        var medians: [Double] = []
        var tail: [(x: Double, y: Double)] = []
        for (position, entry) in results.byCount.enumerated() {
            guard let summary = entry.results[index].latency(panel.direction) else { continue }
            let x = x(position, panel)
            median.append((x, Self.y(summary.p50, axis)))
            medians.append(summary.p50)
            tail.append((x, Self.y(summary.p99, axis)))
        }
        canvas.path(tail, SVGCanvas.series(index) + " thin")
        canvas.path(median, SVGCanvas.series(index))
        // The floor's figures below its line, the other's above its own.
        for (point, value) in zip(median, medians) {
            canvas.dot(point.x, point.y, "f\(index)")
            canvas.text(point.x, point.y + (index == 0 ? 17 : -9), FigureText.fixed(value, 2), .middle, "quiet")
        }
    }

    private func x(_ position: Int, _ panel: Panel) -> Double {
        let count = max(1, results.byCount.count)
        return panel.left + Self.panelWidth * (Double(position) + 0.5) / Double(count)
    }

    private static func y(_ value: Double, _ axis: LogAxis) -> Double {
        bottom - (bottom - top) * axis.position(value)
    }
}

extension String {
    /// A decimal number without zeros at its end.
    fileprivate var trimmedZeros: String {
        guard contains(".") else { return self }
        var text = self
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text
    }
}
