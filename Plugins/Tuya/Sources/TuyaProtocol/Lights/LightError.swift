/// Why a light cannot do what is asked.
package enum LightError: Error, Equatable, Sendable {
    /// The lamp has no such channel.
    case unsupported(LightProperty)
    /// The lamp has the channel but not this value.
    case unknownValue(LightProperty, String)
}
