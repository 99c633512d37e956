import CMosquitto

/// Owns a `struct mosquitto *`: one attempt to connect and the connection that comes of it.
@safe struct MosquittoHandle: ~Copyable {
    let raw: OpaquePointer

    /// Takes the client id over.
    ///
    /// - Parameter context: gets what happens; must outlive the handle.
    /// - Throws: ``MQTTError/invalid(detail:)`` for an id that MQTT does not allow.
    init(clientID: String, context: CallbackContext) throws(MQTTError) {
        // An id that the library refuses makes it close descriptor 0 (libmosquitto 2.0.11: mosquitto_reinitialise zeroes
        // the structure, returns, and mosquitto_destroy closes the "socket pair" 0, 0).
        guard Self.isAllowed(clientID) else { throw .invalid(detail: "client id \"\(clientID)\"") }
        // A new session each time: commands that queued while we were away would switch lights late.
        guard Mosquitto.isReady,
            let raw = unsafe mosquitto_new(clientID, true, Unmanaged.passUnretained(context).toOpaque())
        else { throw .library(code: MOSQ_ERR_NOMEM.rawValue, text: "no client") }
        unsafe self.raw = raw
    }

    private static func isAllowed(_ id: String) -> Bool {
        guard !id.isEmpty, let count = Int32(exactly: id.utf8.count), count <= UInt16.max else { return false }
        return unsafe mosquitto_validate_utf8(id, count) == MOSQ_ERR_SUCCESS.rawValue
    }

    deinit { unsafe mosquitto_destroy(raw) }
}
