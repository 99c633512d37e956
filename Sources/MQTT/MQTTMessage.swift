/// A message that is published or was received.
package struct MQTTMessage: Sendable, Hashable {
    /// The topic, without wildcards.
    package var topic: String
    /// The payload, at most 268,435,455 bytes.
    package var payload: [UInt8]
    package var qos: MQTTQoS
    /// Whether the broker keeps it; of a received message, whether it was kept, or with Retain As Published whether the
    /// sender had asked for that.
    package var retain: Bool
    package var properties: MQTTProperties

    package init(
        topic: String,
        payload: [UInt8],
        qos: MQTTQoS = .atMostOnce,
        retain: Bool = false,
        properties: MQTTProperties = .none
    ) {
        self.topic = topic
        self.payload = payload
        self.qos = qos
        self.retain = retain
        self.properties = properties
    }

    /// The payload as text; invalid UTF-8 is repaired.
    package var text: String { String(decoding: payload, as: UTF8.self) }
}
