/// The brightness data point: the range's minimum is 1 %, its maximum 100 %.
///
/// Source: protocol description, section 5.4, after the vendor's sample app.
package enum Brightness {
    /// The raw value for a fraction 0 … 1 of full brightness; below 1 % it is the minimum.
    package static func raw(_ fraction: Double, in range: ValueRange) -> Int {
        let percent = min(max(fraction * 100, 1), 100)
        let span = Double(range.maximum - range.minimum)
        return range.snapped(Rounding.nearest((percent - 1) / 99 * span + Double(range.minimum)))
    }

    /// Full brightness as 100, not rounded; values outside the range count as its ends.
    static func exactPercent(_ raw: Int, in range: ValueRange) -> Double {
        let span = range.maximum - range.minimum
        guard span > 0 else { return 100 }
        let value = min(max(raw, range.minimum), range.maximum)
        return Double(value - range.minimum) / Double(span) * 99 + 1
    }

    /// 1 … 100.
    package static func percent(_ raw: Int, in range: ValueRange) -> Int {
        min(max(Rounding.nearest(exactPercent(raw, in: range)), 1), 100)
    }

    /// 1 … 255.
    package static func level(_ raw: Int, in range: ValueRange) -> Int {
        min(max(Rounding.nearest(exactPercent(raw, in: range) * 2.55), 1), 255)
    }
}
