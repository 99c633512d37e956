import CMosquitto
import Glibc

/// What the worker does before the loop takes over: everything that may wait for names or files.
///
/// `@unchecked Sendable`: from its making to the return of ``begin()`` nobody else touches the handle and the context.
@safe struct SessionSetup: @unchecked Sendable {
    /// How a library call ended, with `errno` read right after it.
    struct Outcome: Sendable {
        var code: Int32
        var errno: Int32
    }

    /// Has the context as its user data.
    let raw: OpaquePointer
    let context: CallbackContext
    let options: MQTTOptions
    let version: MQTTVersion
    let family: ReconnectPolicy.Family

    /// Configures the handle and begins to connect, without waiting for the network.
    func begin() throws(MQTTError) -> Outcome {
        unsafe context.install(on: raw)
        unsafe mosquitto_int_option(raw, MOSQ_OPT_PROTOCOL_VERSION, version.level)
        unsafe mosquitto_int_option(raw, MOSQ_OPT_TCP_NODELAY, 1)
        // In 3.1.1 nothing else limits us; in MQTT 5 the broker's Receive Maximum takes the place of the first.
        unsafe mosquitto_int_option(raw, MOSQ_OPT_SEND_MAXIMUM, 100)
        unsafe mosquitto_int_option(raw, MOSQ_OPT_RECEIVE_MAXIMUM, 1_000)
        try setCredentials()
        if let will = options.will { try set(will) }
        if let tls = options.tls { try set(tls) }
        return try connect()
    }

    private func connect() throws(MQTTError) -> Outcome {
        let keepAlive = Int32(clamping: min(max(options.keepAlive.components.seconds, 5), 65_535))
        if version == .v5 {
            var properties = PropertyList()
            try properties.add(int32: options.maximumPacketSize, MQTT_PROP_MAXIMUM_PACKET_SIZE)
            // Only this call takes properties, and it would wait for the network. With a port that cannot be, it keeps
            // the properties, refuses the port and does no more; the call below then uses them.
            _ = unsafe properties.withRaw {
                unsafe mosquitto_connect_bind_v5(raw, options.host, -1, keepAlive, nil, $0)
            }
        }
        // Bound to an address of IPv4, a socket of IPv6 is passed over.
        let source: String? = family == .ipv4 ? "0.0.0.0" : nil
        let code = unsafe mosquitto_connect_bind_async(raw, options.host, Int32(options.port), keepAlive, source)
        return Outcome(code: code, errno: errno)
    }

    private func setCredentials() throws(MQTTError) {
        guard let username = options.username else { return }
        let code = unsafe mosquitto_username_pw_set(raw, username, options.password?.text)
        if code != MOSQ_ERR_SUCCESS.rawValue { throw .invalid(detail: "user name: \(Mosquitto.text(code))") }
    }

    private func set(_ will: MQTTWill) throws(MQTTError) {
        var properties = PropertyList()
        if version == .v5 {
            properties = try PropertyList(will.message.properties)
            if will.delaySeconds > 0 { try properties.add(int32: will.delaySeconds, MQTT_PROP_WILL_DELAY_INTERVAL) }
        }
        let payload = will.message.payload
        var list = unsafe properties.release()
        let code = unsafe mosquitto_will_set_v5(
            raw,
            will.message.topic,
            Int32(payload.count),
            payload,
            Int32(will.message.qos.rawValue),
            will.message.retain,
            list
        )
        // The library owns the properties only if it took the will.
        guard code != MOSQ_ERR_SUCCESS.rawValue else { return }
        unsafe mosquitto_property_free_all(&list)
        throw .invalid(detail: "will: \(Mosquitto.text(code))")
    }

    private func set(_ tls: MQTTTLSOptions) throws(MQTTError) {
        for file in [tls.caFile, tls.certificateFile, tls.keyFile] {
            guard let file, unsafe access(file, R_OK) != 0 else { continue }
            throw .tls(detail: "cannot read \(file)")
        }
        let code = unsafe mosquitto_tls_set(
            raw,
            tls.caFile,
            tls.caFile == nil ? "/etc/ssl/certs" : nil,
            tls.certificateFile,
            tls.keyFile,
            // For an encrypted key: no password, instead of a question on the terminal.
            { _, _, _, _ in 0 }
        )
        guard code == MOSQ_ERR_SUCCESS.rawValue else { throw .tls(detail: Mosquitto.text(code)) }
        if tls.caFile == nil { unsafe mosquitto_int_option(raw, MOSQ_OPT_TLS_USE_OS_CERTS, 1) }
        // 1 is OpenSSL's SSL_VERIFY_PEER.
        unsafe mosquitto_tls_opts_set(raw, tls.isInsecure ? 0 : 1, "tlsv1.2", nil)
        unsafe mosquitto_tls_insecure_set(raw, tls.isInsecure)
        if let alpn = tls.alpn { unsafe mosquitto_string_option(raw, MOSQ_OPT_TLS_ALPN, alpn) }
    }
}
