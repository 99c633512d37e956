/// The vendor's five kinds of lights.
package enum LightKind: String, CaseIterable, Sendable {
    /// One white.
    case white = "C"
    /// Cold and warm white.
    case tunableWhite = "CW"
    /// Colour only.
    case colour = "RGB"
    /// Colour and one white.
    case colourAndWhite = "RGBC"
    /// Colour, cold and warm white.
    case colourAndTunableWhite = "RGBCW"

    var hasWhite: Bool { self != .colour }
    var hasTemperature: Bool { self == .tunableWhite || self == .colourAndTunableWhite }
    var hasColour: Bool { self == .colour || self == .colourAndWhite || self == .colourAndTunableWhite }
}
