/// Everything that an ``MQTTClient`` needs to know about its broker and itself.
package struct MQTTOptions: Sendable {
    /// Which protocol to speak.
    package enum Versions: Sendable, Hashable {
        /// MQTT 5, and 3.1.1 where the broker does not know it.
        case automatic
        /// Only this one.
        case only(MQTTVersion)
    }

    /// A host name or a numeric address.
    package var host: String
    package var port: UInt16
    /// Must be ours alone at the broker, which throws out the older of two clients with one id.
    ///
    /// Not empty.
    package var clientID: String
    package var username: String?
    package var password: MQTTPassword?
    /// nil for a connection in clear.
    package var tls: MQTTTLSOptions?
    /// The silence after which the connection is probed, in whole seconds from 5 to 65,535; after twice this it counts
    /// as lost.
    package var keepAlive: Duration = .seconds(30)
    package var will: MQTTWill?
    package var versions: Versions = .automatic
    /// The size of packets above which we do not accept messages, in bytes; MQTT 5 only.
    package var maximumPacketSize: UInt32 = 8 << 20
    /// The time for name, connection, encryption and the broker's answer together.
    package var connectDeadline: Duration = .seconds(10)
    /// The most messages that may wait for the network or the broker.
    package var maximumOutstanding = 32_768
    /// The most payload bytes that may wait for the network or the broker.
    package var maximumOutstandingBytes = 32 << 20

    package init(host: String, port: UInt16 = 1883, clientID: String) {
        self.host = host
        self.port = port
        self.clientID = clientID
    }
}
