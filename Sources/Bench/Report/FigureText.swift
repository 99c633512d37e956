/// Figures as people read them.
enum FigureText {
    /// A number with so many digits behind the point.
    static func fixed(_ value: Double, _ digits: Int) -> String {
        guard value.isFinite else { return "–" }
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        let whole = Int((value.magnitude * scale).rounded())
        let sign = value < 0 && whole > 0 ? "-" : ""
        guard digits > 0 else { return sign + grouped(whole) }
        let text = String(repeating: "0", count: max(0, digits + 1 - String(whole).count)) + String(whole)
        return sign + text.dropLast(digits) + "." + text.suffix(digits)
    }

    /// About three significant digits.
    static func short(_ value: Double) -> String {
        switch value.magnitude {
        case ..<1: fixed(value, 3)
        case ..<10: fixed(value, 2)
        case ..<100: fixed(value, 1)
        default: fixed(value, 0)
        }
    }

    /// `12,800`.
    static func grouped(_ value: Int) -> String {
        var text = ""
        for (index, digit) in String(value).reversed().enumerated() {
            if index > 0, index % 3 == 0 { text = "," + text }
            text = String(digit) + text
        }
        return text
    }

    /// The value in the middle; nil for an empty list.
    static func median(_ values: [Double]) -> Double? {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted()
        return sorted.count % 2 == 1
            ? sorted[sorted.count / 2] : (sorted[sorted.count / 2 - 1] + sorted[sorted.count / 2]) / 2
    }
}
