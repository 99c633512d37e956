import CMosquitto

/// A version of the protocol.
package enum MQTTVersion: Sendable, Hashable {
    /// MQTT 5: properties, reason codes, subscription options.
    case v5
    /// MQTT 3.1.1.
    case v311

    /// The protocol level that a CONNECT carries.
    var level: Int32 { self == .v5 ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311 }
}
