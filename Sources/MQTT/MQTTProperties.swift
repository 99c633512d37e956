/// The MQTT 5 properties of a message; ignored when the connection speaks 3.1.1.
package struct MQTTProperties: Sendable, Hashable {
    /// A name with a value, of which a message may carry several, also with equal names.
    package struct UserProperty: Sendable, Hashable {
        package var name: String
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The MIME type of the payload.
    package var contentType: String?
    /// Whether the payload is declared to be UTF-8 text; nil for no declaration.
    package var isText: Bool?
    /// The seconds after which the broker discards a message that it could not deliver.
    package var expirySeconds: UInt32?
    /// Where the sender wants an answer.
    package var responseTopic: String?
    /// What the sender wants back with the answer, at most 65,535 bytes.
    package var correlationData: [UInt8]?
    /// Further names and values, in order.
    package var userProperties: [UserProperty] = []

    /// Makes properties; everything left out is not sent.
    package init(
        contentType: String? = nil,
        isText: Bool? = nil,
        expirySeconds: UInt32? = nil,
        responseTopic: String? = nil,
        correlationData: [UInt8]? = nil,
        userProperties: [UserProperty] = []
    ) {
        self.contentType = contentType
        self.isText = isText
        self.expirySeconds = expirySeconds
        self.responseTopic = responseTopic
        self.correlationData = correlationData
        self.userProperties = userProperties
    }

    /// No properties.
    package static let none = MQTTProperties()
    /// `application/json`, declared as text.
    package static let json = MQTTProperties(contentType: "application/json", isText: true)
    /// `text/plain`, declared as text.
    package static let text = MQTTProperties(contentType: "text/plain", isText: true)

    /// The value of the first user property with this name.
    package func user(_ name: String) -> String? {
        userProperties.first { $0.name == name }?.value
    }

    /// Whether nothing is set.
    package var isEmpty: Bool { contentType == nil && isText == nil && isPlain && expirySeconds == nil }

    /// Whether only properties are set that are the same for many messages, so that their C form is worth keeping.
    var isPlain: Bool { responseTopic == nil && correlationData == nil && userProperties.isEmpty }
}
