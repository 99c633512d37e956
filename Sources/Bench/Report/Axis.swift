/// A scale from zero to a round number.
struct Axis {
    let maximum: Double
    let step: Double

    /// An axis that holds all values, with about four steps.
    init(_ values: [Double]) {
        let highest = max(values.filter(\.isFinite).max() ?? 1, 1e-6)
        var unit = 1.0
        while unit > highest { unit /= 10 }
        while unit * 10 <= highest { unit *= 10 }
        let step = [0.2, 0.25, 0.5, 1, 2, 2.5].map { $0 * unit }.first { $0 * 5 >= highest * 1.02 } ?? unit * 2.5
        self.step = step
        maximum = step * (highest * 1.02 / step).rounded(.up)
    }

    var ticks: [Double] { (0...Int((maximum / step).rounded())).map { Double($0) * step } }
}
