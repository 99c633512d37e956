import CMosquitto

/// The library as a whole.
enum Mosquitto {
    /// Prepares the library, once in the life of the process; never undone.
    static let isReady: Bool = mosquitto_lib_init() == MOSQ_ERR_SUCCESS.rawValue

    /// Whether MQTT allows a topic filter.
    static func isFilter(_ filter: String) -> Bool {
        guard !filter.isEmpty, filter.utf8.count <= UInt16.max, !filter.utf8.contains(0) else { return false }
        return unsafe mosquitto_sub_topic_check(filter) == MOSQ_ERR_SUCCESS.rawValue
            && mosquitto_validate_utf8(filter, Int32(filter.utf8.count)) == MOSQ_ERR_SUCCESS.rawValue
    }

    /// The library's words for one of its numbers.
    static func text(_ code: Int32) -> String {
        guard let text = unsafe mosquitto_strerror(code) else { return "error \(code)" }
        return unsafe String(cString: text)
    }

    /// The specification's words for a reason code of a version.
    static func text(reason code: UInt8, _ version: MQTTVersion) -> String {
        let words =
            switch version {
            case .v5: unsafe mosquitto_reason_string(Int32(code))
            case .v311: unsafe mosquitto_connack_string(Int32(code))
            }
        guard let words = unsafe words else { return "reason \(code)" }
        return unsafe String(cString: words)
    }
}
