/// What someone asks of a light, all in one; what is `nil` is not asked for.
package struct LightChange: Equatable, Sendable {
    /// A place between warm and cold white.
    package enum Temperature: Equatable, Sendable {
        /// 0 = warm, 1 = cold.
        case fraction(Double)
        case kelvin(Int)
    }

    /// Parts of a colour; what is `nil` stays as it is.
    package struct Colour: Equatable, Sendable {
        /// Degrees, 0 … 360.
        package var hue: Double?
        /// Percent, 0 … 100.
        package var saturation: Double?
        /// Percent, 0 … 100; 0 counts as 100.
        package var value: Double?

        /// Describes parts of a colour.
        package init(hue: Double? = nil, saturation: Double? = nil, value: Double? = nil) {
            self.hue = hue
            self.saturation = saturation
            self.value = value
        }

        /// The seed's own operation: it is sent whatever the switch says.
        var isSaturationOnly: Bool { hue == nil && value == nil && saturation != nil }
    }

    package var power: Bool?
    /// 0 switches off, or is the minimum where power is asked for too.
    package var brightness: LightLevel?
    package var temperature: Temperature?
    package var colour: Colour?
    /// Our name, see ``LightMode``, or a vendor's.
    package var mode: String?
    package var effect: String?
    /// Seconds.
    package var countdown: Int?

    /// Asks for parts.
    package init(
        power: Bool? = nil,
        brightness: LightLevel? = nil,
        temperature: Temperature? = nil,
        colour: Colour? = nil,
        mode: String? = nil,
        effect: String? = nil,
        countdown: Int? = nil
    ) {
        self.power = power
        self.brightness = brightness
        self.temperature = temperature
        self.colour = colour
        self.mode = mode
        self.effect = effect
        self.countdown = countdown
    }

    /// The change with numbers outside their scales moved to the scales' ends, as the formulas count them.
    func clamped(kelvin range: ClosedRange<Int>) -> LightChange {
        var change = self
        if case .of255(let level)? = brightness { change.brightness = .of255(min(max(level, 0), 255)) }
        if case .kelvin(let kelvin)? = temperature {
            change.temperature = .kelvin(min(max(kelvin, range.lowerBound), range.upperBound))
        }
        if let hue = colour?.hue, !(0...360).contains(hue) {
            change.colour?.hue = HSV(hue: hue, saturation: 1, value: 1).hue
        }
        change.colour?.saturation = Self.percent(colour?.saturation)
        change.colour?.value = Self.percent(colour?.value)
        return change
    }

    private static func percent(_ value: Double?) -> Double? {
        value.map { $0.isNaN ? 0 : min(max($0, 0), 100) }
    }
}
