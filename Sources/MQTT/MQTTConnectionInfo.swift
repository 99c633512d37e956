/// What a broker said when it accepted us; with 3.1.1, what that version implies.
package struct MQTTConnectionInfo: Sendable, Hashable {
    package var version: MQTTVersion
    /// Whether the broker still had a session of ours.
    package var isSessionPresent = false
    /// The largest packet that the broker accepts, in bytes; nil for no limit.
    package var maximumPacketSize: UInt32?
    package var maximumQoS = MQTTQoS.exactlyOnce
    /// How many topic aliases the broker accepts.
    package var topicAliasMaximum: UInt16 = 0
    /// The keep-alive that the broker wants instead of ours, in seconds.
    package var serverKeepAlive: UInt16?
    package var isRetainAvailable = true
    /// How many unacknowledged messages the broker accepts.
    package var receiveMaximum: UInt16 = .max
}
