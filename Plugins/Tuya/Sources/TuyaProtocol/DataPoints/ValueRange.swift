/// What a data point of type value may hold: integers from ``minimum`` to ``maximum`` that stand for numbers with
/// ``scale`` decimal places.
package struct ValueRange: Hashable, Sendable {
    package var minimum: Int
    package var maximum: Int
    /// Decimal places: 2312 with scale 1 is 231.2.
    package var scale: Int
    /// Distance between allowed integers, counted from the minimum; 1 or more.
    package var step: Int
    /// As the vendor writes it, such as `W`, `V`, `%`.
    package var unit: String?

    /// Describes a range; bounds in the wrong order are swapped, a scale outside 0 … 9 counts as 0.
    package init(minimum: Int, maximum: Int, scale: Int = 0, step: Int = 1, unit: String? = nil) {
        let bounds = [minimum, maximum].map { Swift.min(Swift.max($0, -Self.largest), Self.largest) }
        self.minimum = Swift.min(bounds[0], bounds[1])
        self.maximum = Swift.max(bounds[0], bounds[1])
        self.scale = (0...9).contains(scale) ? scale : 0
        self.step = Swift.min(Swift.max(step, 1), Self.largest)
        self.unit = unit
    }

    /// Integers up to here are exact in JSON and in a Double.
    private static let largest = 1 << 53

    private var factor: Double { (0..<scale).reduce(1) { factor, _ in factor * 10 } }

    /// The number that a raw value stands for.
    package func engineering(_ raw: Int) -> Double { Double(raw) / factor }

    /// The raw value for a number: clamped to the range and moved to the nearest step, never above the maximum.
    package func raw(_ engineering: Double) -> Int {
        let value = min(max(engineering * factor, Double(minimum)), Double(maximum))
        return stepped(Rounding.nearest((value - Double(minimum)) / Double(step)))
    }

    /// A raw value, clamped to the range and moved to the nearest step.
    package func snapped(_ raw: Int) -> Int {
        let value = min(max(raw, minimum), maximum)
        guard step > 1 else { return value }
        return stepped(Rounding.nearest(Double(value - minimum) / Double(step)))
    }

    private func stepped(_ steps: Int) -> Int {
        let value = minimum + steps * step
        return value > maximum ? value - step : value
    }
}
