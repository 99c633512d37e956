/// A broker's answer to one subscription.
package struct MQTTSubackCode: RawRepresentable, Sendable, Hashable {
    /// The granted QoS, 0 to 2, or a reason from 128 up.
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Whether the broker refused.
    package var isRefusal: Bool { rawValue >= 128 }
    /// The QoS at which messages will come; nil for a refusal.
    package var grantedQoS: MQTTQoS? { MQTTQoS(rawValue: rawValue) }
}
