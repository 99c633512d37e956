/// A colour.
package struct HSV: Hashable, Sendable {
    /// Degrees, 0 ..< 360.
    package var hue: Double
    /// 0 … 1.
    package var saturation: Double
    /// 0 … 1.
    package var value: Double

    /// Any angle is brought into the circle, the fractions into 0 … 1.
    package init(hue: Double, saturation: Double, value: Double) {
        let turned = hue.isFinite ? hue.truncatingRemainder(dividingBy: 360) : 0
        self.hue = turned < 0 ? turned + 360 : turned
        self.saturation = Self.fraction(saturation)
        self.value = Self.fraction(value)
    }

    /// The colour of three components 0 … 1.
    package init(red: Double, green: Double, blue: Double) {
        let (red, green, blue) = (Self.fraction(red), Self.fraction(green), Self.fraction(blue))
        let largest = max(red, green, blue)
        let spread = largest - min(red, green, blue)
        let sector: Double =
            if spread == 0 {
                0
            } else if largest == red {
                (green - blue) / spread
            } else if largest == green {
                (blue - red) / spread + 2
            } else {
                (red - green) / spread + 4
            }
        self.init(hue: sector * 60, saturation: largest == 0 ? 0 : spread / largest, value: largest)
    }

    /// The colour's components, 0 … 1 each.
    package var rgb: (red: Double, green: Double, blue: Double) {
        /// How much of a component there is whose own hue is `offset` sectors of 60° away.
        func component(_ offset: Double) -> Double {
            let position = (offset + hue / 60).truncatingRemainder(dividingBy: 6)
            return value - value * saturation * max(0, min(position, 4 - position, 1))
        }
        return (component(5), component(3), component(1))
    }

    /// The hue in whole degrees, 0 … 359.
    package var roundedHue: Int { Rounding.nearest(hue) % 360 }

    /// Whole degrees between two hues, the shorter way round, 0 … 180.
    package static func distance(_ left: Double, _ right: Double) -> Int {
        let difference = abs(Rounding.nearest(left) - Rounding.nearest(right)) % 360
        return min(difference, 360 - difference)
    }

    private static func fraction(_ value: Double) -> Double { value.isNaN ? 0 : min(max(value, 0), 1) }
}
