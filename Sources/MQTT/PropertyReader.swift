import CMosquitto

/// Copies what we use out of property lists that belong to libmosquitto.
enum PropertyReader {
    /// The properties of a message.
    static func message(_ list: OpaquePointer?) -> MQTTProperties {
        // Most messages have none.
        guard let list = unsafe list else { return .none }
        var properties = MQTTProperties()
        var next: OpaquePointer? = unsafe list
        while let property = unsafe next {
            switch unsafe identifier(property) {
            case MQTT_PROP_PAYLOAD_FORMAT_INDICATOR: properties.isText = unsafe byte(property) == 1
            case MQTT_PROP_MESSAGE_EXPIRY_INTERVAL: properties.expirySeconds = unsafe int32(property)
            case MQTT_PROP_CONTENT_TYPE: properties.contentType = unsafe string(property)
            case MQTT_PROP_RESPONSE_TOPIC: properties.responseTopic = unsafe string(property)
            case MQTT_PROP_CORRELATION_DATA: properties.correlationData = unsafe binary(property)
            case MQTT_PROP_USER_PROPERTY:
                if let pair = unsafe pair(property) { properties.userProperties.append(pair) }
            default: break
            }
            unsafe next = mosquitto_property_next(property)
        }
        return properties
    }

    /// What a CONNACK says about the connection.
    static func connection(_ list: OpaquePointer?, into info: inout MQTTConnectionInfo) {
        var next = unsafe list
        while let property = unsafe next {
            switch unsafe identifier(property) {
            case MQTT_PROP_MAXIMUM_PACKET_SIZE: info.maximumPacketSize = unsafe int32(property)
            case MQTT_PROP_MAXIMUM_QOS: info.maximumQoS = unsafe MQTTQoS(rawValue: byte(property)) ?? .exactlyOnce
            case MQTT_PROP_TOPIC_ALIAS_MAXIMUM: info.topicAliasMaximum = unsafe int16(property)
            case MQTT_PROP_SERVER_KEEP_ALIVE: info.serverKeepAlive = unsafe int16(property)
            case MQTT_PROP_RETAIN_AVAILABLE: info.isRetainAvailable = unsafe byte(property) == 1
            case MQTT_PROP_RECEIVE_MAXIMUM: info.receiveMaximum = unsafe int16(property)
            default: break
            }
            unsafe next = mosquitto_property_next(property)
        }
    }

    // MARK: Values; each function is called on a property of its type, so that none can fail but for lack of memory.

    private static func identifier(_ property: OpaquePointer) -> mqtt5_property {
        unsafe mqtt5_property(UInt32(mosquitto_property_identifier(property)))
    }

    private static func byte(_ property: OpaquePointer) -> UInt8 {
        var value: UInt8 = 0
        unsafe mosquitto_property_read_byte(property, mosquitto_property_identifier(property), &value, false)
        return value
    }

    private static func int16(_ property: OpaquePointer) -> UInt16 {
        var value: UInt16 = 0
        unsafe mosquitto_property_read_int16(property, mosquitto_property_identifier(property), &value, false)
        return value
    }

    private static func int32(_ property: OpaquePointer) -> UInt32 {
        var value: UInt32 = 0
        unsafe mosquitto_property_read_int32(property, mosquitto_property_identifier(property), &value, false)
        return value
    }

    private static func string(_ property: OpaquePointer) -> String? {
        var value: UnsafeMutablePointer<CChar>?
        unsafe mosquitto_property_read_string(property, mosquitto_property_identifier(property), &value, false)
        defer { unsafe free(value) }
        // libmosquitto has checked that received text is UTF-8 without NUL.
        return unsafe value.map { unsafe String(cString: $0) }
    }

    private static func binary(_ property: OpaquePointer) -> [UInt8]? {
        var value: UnsafeMutableRawPointer?
        var count: UInt16 = 0
        let found = unsafe mosquitto_property_read_binary(
            property,
            mosquitto_property_identifier(property),
            &value,
            &count,
            false
        )
        defer { unsafe free(value) }
        guard unsafe found != nil else { return nil }
        return unsafe [UInt8](UnsafeRawBufferPointer(start: value, count: Int(count)))
    }

    private static func pair(_ property: OpaquePointer) -> MQTTProperties.UserProperty? {
        var name: UnsafeMutablePointer<CChar>?
        var value: UnsafeMutablePointer<CChar>?
        unsafe mosquitto_property_read_string_pair(
            property,
            mosquitto_property_identifier(property),
            &name,
            &value,
            false
        )
        defer {
            unsafe free(name)
            unsafe free(value)
        }
        guard let name = unsafe name, let value = unsafe value else { return nil }
        return unsafe MQTTProperties.UserProperty(name: String(cString: name), value: String(cString: value))
    }
}
