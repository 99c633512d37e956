/// The end of a successful publish.
package struct MQTTPublishAck: Sendable, Hashable {
    /// The broker's reason code: 0, or 16 where nobody has subscribed; always 0 for QoS 0 and for 3.1.1.
    package var reasonCode: UInt8 = 0
}
