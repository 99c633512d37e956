/// How a connection is encrypted; TLS 1.2 at least.
package struct MQTTTLSOptions: Sendable, Hashable {
    /// A PEM file with the authorities to trust; nil for those of the system.
    package var caFile: String?
    /// A PEM file with our certificate, and the chain to it; together with `keyFile`.
    package var certificateFile: String?
    /// A PEM file with the private key, not encrypted.
    package var keyFile: String?
    /// Accepts any certificate of any host.
    ///
    /// The connection is then open to whoever stands in between.
    package var isInsecure: Bool
    /// The protocol to ask for in the handshake, such as `mqtt` or `x-amzn-mqtt-ca`.
    package var alpn: String?

    package init(
        caFile: String? = nil,
        certificateFile: String? = nil,
        keyFile: String? = nil,
        isInsecure: Bool = false,
        alpn: String? = nil
    ) {
        self.caFile = caFile
        self.certificateFile = certificateFile
        self.keyFile = keyFile
        self.isInsecure = isInsecure
        self.alpn = alpn
    }
}
