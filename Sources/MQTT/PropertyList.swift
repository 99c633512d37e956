import CMosquitto

/// Owns a list of MQTT 5 properties in libmosquitto's form.
@safe struct PropertyList: ~Copyable {
    /// nil for an empty list.
    private var head: OpaquePointer?

    init() {}

    /// Builds the list for a message.
    ///
    /// - Throws: ``MQTTError/invalid(detail:)`` for text that is not valid UTF-8 for MQTT or longer than 65,535 bytes.
    init(_ properties: MQTTProperties) throws(MQTTError) {
        if let isText = properties.isText {
            try add(byte: isText ? 1 : 0, MQTT_PROP_PAYLOAD_FORMAT_INDICATOR)
        }
        if let seconds = properties.expirySeconds { try add(int32: seconds, MQTT_PROP_MESSAGE_EXPIRY_INTERVAL) }
        if let type = properties.contentType { try add(string: type, MQTT_PROP_CONTENT_TYPE) }
        if let topic = properties.responseTopic { try add(string: topic, MQTT_PROP_RESPONSE_TOPIC) }
        if let data = properties.correlationData { try add(binary: data, MQTT_PROP_CORRELATION_DATA) }
        for property in properties.userProperties { try add(property) }
    }

    deinit {
        var head = unsafe head
        unsafe mosquitto_property_free_all(&head)
    }

    /// Lends the list for a call.
    borrowing func withRaw<T>(_ body: (OpaquePointer?) -> T) -> T {
        unsafe body(head)
    }

    /// Gives the list to a function of libmosquitto that frees it.
    consuming func release() -> OpaquePointer? {
        let released = unsafe head
        unsafe head = nil
        return unsafe released
    }

    mutating func add(byte: UInt8, _ id: mqtt5_property) throws(MQTTError) {
        try Self.check(unsafe mosquitto_property_add_byte(&head, Int32(id.rawValue), byte), id)
    }

    mutating func add(int32: UInt32, _ id: mqtt5_property) throws(MQTTError) {
        try Self.check(unsafe mosquitto_property_add_int32(&head, Int32(id.rawValue), int32), id)
    }

    mutating func add(string: String, _ id: mqtt5_property) throws(MQTTError) {
        try Self.checkText(string)
        try Self.check(unsafe mosquitto_property_add_string(&head, Int32(id.rawValue), string), id)
    }

    mutating func add(binary: [UInt8], _ id: mqtt5_property) throws(MQTTError) {
        guard let count = UInt16(exactly: binary.count) else {
            throw .invalid(detail: "property \(id.rawValue) has \(binary.count) bytes")
        }
        try Self.check(unsafe mosquitto_property_add_binary(&head, Int32(id.rawValue), binary, count), id)
    }

    mutating func add(_ property: MQTTProperties.UserProperty) throws(MQTTError) {
        try Self.checkText(property.name)
        try Self.checkText(property.value)
        let id = MQTT_PROP_USER_PROPERTY
        try Self.check(
            unsafe mosquitto_property_add_string_pair(&head, Int32(id.rawValue), property.name, property.value),
            id
        )
    }

    /// A C string ends at its first NUL, which MQTT does not allow anyway (MQTT 5, 1.5.4).
    private static func checkText(_ text: String) throws(MQTTError) {
        guard text.utf8.count <= Int(UInt16.max), !text.utf8.contains(0) else {
            throw .invalid(detail: "text of \(text.utf8.count) bytes, or with NUL, in a property")
        }
    }

    private static func check(_ code: Int32, _ id: mqtt5_property) throws(MQTTError) {
        guard code != MOSQ_ERR_SUCCESS.rawValue else { return }
        throw .invalid(detail: "property \(id.rawValue): \(Mosquitto.text(code))")
    }
}
