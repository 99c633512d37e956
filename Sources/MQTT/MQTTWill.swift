/// What the broker publishes for us when we are gone without a word.
package struct MQTTWill: Sendable, Hashable {
    package var message: MQTTMessage
    /// The seconds that the broker waits first, in which a reconnect makes it say nothing; MQTT 5 only.
    package var delaySeconds: UInt32

    package init(_ message: MQTTMessage, delaySeconds: UInt32 = 0) {
        self.message = message
        self.delaySeconds = delaySeconds
    }
}
