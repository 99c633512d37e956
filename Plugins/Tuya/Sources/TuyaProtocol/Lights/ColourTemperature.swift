/// The colour temperature data point, and the Kelvin that its ends stand for.
///
/// Source: protocol description, section 5.4.
package struct ColourTemperature: Equatable, Sendable {
    /// Which end of the raw range is warm.
    package enum Direction: Sendable {
        case warmAtMinimum
        /// Some products count the other way.
        case warmAtMaximum
    }

    package var range: ValueRange
    /// From the warm to the cold end.
    package var kelvin: ClosedRange<Int>
    package var direction: Direction

    /// The default Kelvin range of white lamps.
    package static let standardKelvin = 2700...6500

    /// Describes a data point.
    package init(
        range: ValueRange,
        kelvin: ClosedRange<Int> = standardKelvin,
        direction: Direction = .warmAtMinimum
    ) {
        self.range = range
        self.kelvin = kelvin
        self.direction = direction
    }

    /// The raw value for a fraction 0 … 1 of the way from warm to cold.
    package func raw(fraction: Double) -> Int {
        let clamped = min(max(fraction, 0), 1)
        let directed = direction == .warmAtMinimum ? clamped : 1 - clamped
        let span = Double(range.maximum - range.minimum)
        return range.snapped(Rounding.truncated(directed * span + Double(range.minimum)))
    }

    /// The fraction of the way from warm to cold; raw values outside the range count as its ends.
    package func fraction(_ raw: Int) -> Double {
        let span = range.maximum - range.minimum
        guard span > 0 else { return 0 }
        let directed = Double(min(max(raw, range.minimum), range.maximum) - range.minimum) / Double(span)
        return direction == .warmAtMinimum ? directed : 1 - directed
    }

    /// The raw value for a colour temperature; outside the Kelvin range its ends count.
    package func raw(kelvin value: Int) -> Int {
        let span = kelvin.upperBound - kelvin.lowerBound
        guard span > 0 else { return raw(fraction: 0) }
        let clamped = min(max(value, kelvin.lowerBound), kelvin.upperBound)
        return raw(fraction: Double(clamped - kelvin.lowerBound) / Double(span))
    }

    /// Kelvin, rounded.
    package func kelvin(_ raw: Int) -> Int {
        kelvin.lowerBound + Rounding.nearest(fraction(raw) * Double(kelvin.upperBound - kelvin.lowerBound))
    }
}
