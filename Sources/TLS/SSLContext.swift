internal import CTLS

/// Owns an `SSL_CTX *` that allows what this module's peers speak and nothing else.
@safe
struct SSLContext: ~Copyable {
    let raw: OpaquePointer

    /// - Throws: ``TLSError/library(operation:words:)``.
    init(_ options: TLSOptions, isServer: Bool) throws(TLSError) {
        ERR_clear_error()
        guard let context = unsafe SSL_CTX_new(isServer ? TLS_server_method() : TLS_client_method()) else {
            throw .fromLibrary("SSL_CTX_new")
        }
        guard unsafe Self.configure(context, options) else {
            let error = TLSError.fromLibrary("configure")
            unsafe SSL_CTX_free(context)
            throw error
        }
        if isServer {
            unsafe SSL_CTX_set_psk_server_callback(context, serverKey)
            unsafe SSL_CTX_set_client_hello_cb(context, sawClientHello, nil)
        } else {
            unsafe SSL_CTX_set_psk_client_callback(context, clientKey)
        }
        unsafe raw = context
    }

    private static func configure(_ context: OpaquePointer, _ options: TLSOptions) -> Bool {
        // A configuration file of the machine's may ask for more than a six-byte key and CBC can give.
        unsafe SSL_CTX_set_security_level(context, 1)
        unsafe lintel_ssl_ctx_set_options(context)
        unsafe lintel_ssl_ctx_set_no_cache(context)
        let ciphers = options.suites.map(\.name).joined(separator: ":")
        guard unsafe lintel_ssl_ctx_set_version(context, TLS1_2_VERSION) == 1,
            unsafe SSL_CTX_set_cipher_list(context, ciphers) == 1,
            unsafe lintel_ssl_ctx_set_groups(context, "P-256") == 1
        else { return false }
        guard let length = options.fragmentLength else { return true }
        return unsafe SSL_CTX_set_tlsext_max_fragment_length(context, length.rawValue) == 1
    }

    deinit { unsafe SSL_CTX_free(raw) }
}

extension TLSError {
    static func fromLibrary(_ operation: String) -> TLSError {
        .library(operation: operation, words: SSLFailure.take().words)
    }
}
