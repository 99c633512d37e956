/// The parts of a light's state, by their names on MQTT.
package enum LightProperty: String, CaseIterable, Sendable {
    case power
    case brightness
    case mode
    case temperature = "color_temp"
    case colour = "color"
    case effect
    case countdown
}
