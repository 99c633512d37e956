/// How surely a message is delivered.
package enum MQTTQoS: UInt8, Sendable, Hashable {
    /// At most once.
    case atMostOnce = 0
    /// At least once.
    case atLeastOnce = 1
    /// Exactly once.
    case exactlyOnce = 2
}
