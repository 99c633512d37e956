import Glibc

/// A logarithmic scale between round numbers of the series 1, 2, 5.
struct LogAxis {
    let ticks: [Double]

    /// An axis that holds all values, which are above zero.
    init(_ values: [Double]) {
        let values = values.filter { $0.isFinite && $0 > 0 }
        let lowest = values.min() ?? 0.1
        let highest = values.max() ?? 1
        let series = (-4...4).flatMap { power in [1.0, 2, 5].map { $0 * pow(10, Double(power)) } }
        let first = series.last { $0 <= lowest } ?? series[0]
        let last = series.first { $0 >= highest && $0 > first } ?? series[series.count - 1]
        ticks = series.filter { $0 >= first && $0 <= last }
    }

    /// Where a value stands, from 0 at the bottom to 1 at the top.
    func position(_ value: Double) -> Double {
        guard let first = ticks.first, let last = ticks.last, value > 0 else { return 0 }
        return min(max(log(value / first) / log(last / first), 0), 1)
    }
}
