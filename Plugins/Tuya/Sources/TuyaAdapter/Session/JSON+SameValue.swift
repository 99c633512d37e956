import JSON

extension JSON {
    /// Whether a device that holds one of the values holds the other: numbers by value, texts whatever their case, since
    /// colours are hex digits in either.
    func isSameValue(as other: JSON) -> Bool {
        switch (self, other) {
        case (.string(let one), .string(let two)): one == two || one.lowercased() == two.lowercased()
        case (.bool, _), (_, .bool): self == other
        default: self == other || doubleValue != nil && doubleValue == other.doubleValue
        }
    }
}
