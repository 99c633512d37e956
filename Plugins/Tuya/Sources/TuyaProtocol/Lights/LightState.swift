/// What a light shows, in the scales of MQTT; `nil`: not known or not there.
package struct LightState: Equatable, Sendable {
    /// A hue and a saturation.
    package struct Colour: Hashable, Sendable {
        /// Degrees, 0 … 360.
        package var hue: Double
        /// Percent, 0 … 100.
        package var saturation: Double

        /// Describes a colour.
        package init(hue: Double, saturation: Double) {
            self.hue = hue
            self.saturation = saturation
        }
    }

    package var power: Bool?
    /// 1 … 255, of the channel that the mode uses.
    package var brightness: Int?
    /// Our name, see ``LightMode``.
    package var mode: String?
    /// Kelvin.
    package var temperature: Int?
    package var colour: Colour?
    /// Name of the running scene; `nil` in other modes and for scenes without a name.
    package var effect: String?
    /// Seconds.
    package var countdown: Int?

    /// Describes a state.
    package init(
        power: Bool? = nil,
        brightness: Int? = nil,
        mode: String? = nil,
        temperature: Int? = nil,
        colour: Colour? = nil,
        effect: String? = nil,
        countdown: Int? = nil
    ) {
        self.power = power
        self.brightness = brightness
        self.mode = mode
        self.temperature = temperature
        self.colour = colour
        self.effect = effect
        self.countdown = countdown
    }
}
