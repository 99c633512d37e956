/// What a property, action or event means, so that doors can show it properly without knowing the vendor.
///
/// The list is open: an unknown role is shown by its data schema alone.
public struct Role: Hashable, Sendable, RawRepresentable, ExpressibleByStringLiteral {
    /// The role's name, lower case with underscores.
    public let rawValue: String

    /// Wraps a name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Wraps a literal name.
    public init(stringLiteral value: String) { rawValue = value }

    /// Boolean: on or off.
    public static let power: Role = "power"
    /// Integer 0…255.
    public static let brightness: Role = "brightness"
    /// Object `{"h":0…360,"s":0…100}`.
    public static let color: Role = "color"
    /// Integer, kelvin.
    public static let colorTemperature: Role = "color_temperature"
    /// String: `white`, `color`, `scene`, `music`.
    public static let lightMode: Role = "light_mode"
    /// String: a named scene of a light.
    public static let effect: Role = "effect"
    /// Integer, seconds until a change.
    public static let countdown: Role = "countdown"
    /// Boolean: something moves.
    public static let motion: Role = "motion"
    /// Integer, percent.
    public static let battery: Role = "battery"
    /// Array of strings: faults present.
    public static let fault: Role = "fault"
    /// Number, watts.
    public static let powerDraw: Role = "power_draw"
    /// Number, volts.
    public static let voltage: Role = "voltage"
    /// Number, amperes.
    public static let current: Role = "current"
    /// Number, kilowatt hours.
    public static let energy: Role = "energy"
    /// Number, degrees Celsius.
    public static let temperature: Role = "temperature"
    /// Number, percent.
    public static let humidity: Role = "humidity"
}
