package import Log

/// How to reach the broker, and under which topic.
package struct MQTTSettings: Sendable, Equatable {
    /// Which broker.
    package enum Broker: Sendable, Equatable {
        /// A mosquitto of our own on 127.0.0.1.
        case embedded(port: UInt16)
        /// A broker somewhere; TLS where ``MQTTSettings/tls`` is set.
        case remote(host: String, port: UInt16)
    }

    /// Which version of MQTT to speak.
    package enum Version: String, Sendable, CaseIterable {
        /// 5, and 3.1.1 where the broker does not speak it.
        case automatic = "auto"
        case five = "5"
        case threeOneOne = "3.1.1"
    }

    package var broker = Broker.embedded(port: 1883)
    /// The first levels of all our topics, by the rules of ``BaseTopic``.
    package var baseTopic = "lintel"
    package var username: String?
    package var password: Redacted<String>?
    /// Nil for `lintel-` and the installation's id.
    package var clientID: String?
    package var version = Version.automatic
    /// How often the connection is checked: 5 s to 65,535 s.
    package var keepAlive = Duration.seconds(60)
    /// Nil where the connection is not encrypted.
    package var tls: TLSSettings?

    package init() {}
}

/// How to check the broker and how to show who we are.
///
/// Paths are absolute, or relative to where the gateway was started.
package struct TLSSettings: Sendable, Equatable {
    /// Certificates of authorities in PEM form; nil for those of the system.
    package var caFile: String?
    /// Our own certificate in PEM form; there is a key where there is a certificate.
    package var certificateFile: String?
    package var keyFile: String?
    /// Whether the broker's certificate is not checked at all.
    package var isInsecure = false

    package init() {}
}
