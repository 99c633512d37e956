/// The five kinds of lamp, by their channels.
package enum LightType: String, Sendable, CaseIterable {
    /// One white.
    case c = "C"
    /// Two whites.
    case cw = "CW"
    /// Colour only.
    case rgb = "RGB"
    /// Colour and one white.
    case rgbc = "RGBC"
    /// Colour and two whites.
    case rgbcw = "RGBCW"

    package var hasWhite: Bool { self != .rgb }
    package var hasTemperature: Bool { self == .cw || self == .rgbcw }
    package var hasColor: Bool { self == .rgb || self == .rgbc || self == .rgbcw }
}
