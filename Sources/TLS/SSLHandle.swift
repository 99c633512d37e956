internal import CTLS

/// Owns an `SSL *` between two memory buffers: one for what the peer sent, one for what it shall get.
@safe
struct SSLHandle: ~Copyable {
    let raw: OpaquePointer
    private let input: OpaquePointer
    private let output: OpaquePointer
    /// Room for one record, so that one call never returns a part of one.
    private let scratch: UnsafeMutableRawBufferPointer

    /// - Parameter callbacks: gets what OpenSSL asks; must outlive the handle.
    init(_ context: borrowing SSLContext, isServer: Bool, callbacks: TLSCallbacks) throws(TLSError) {
        ERR_clear_error()
        let (ssl, input, output) = unsafe (SSL_new(context.raw), BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()))
        guard let ssl = unsafe ssl, let input = unsafe input, let output = unsafe output,
            unsafe SSL_set_ex_data(ssl, 0, Unmanaged.passUnretained(callbacks).toOpaque()) == 1
        else {
            let error = TLSError.fromLibrary("SSL_new")
            unsafe SSL_free(ssl)
            unsafe BIO_free(input)
            unsafe BIO_free(output)
            throw error
        }
        // Both buffers belong to the SSL object from here.
        unsafe SSL_set_bio(ssl, input, output)
        if isServer { unsafe SSL_set_accept_state(ssl) } else { unsafe SSL_set_connect_state(ssl) }
        unsafe raw = ssl
        unsafe self.input = input
        unsafe self.output = output
        unsafe scratch = .allocate(byteCount: Int(SSL3_RT_MAX_PLAIN_LENGTH), alignment: 1)
    }

    deinit {
        unsafe SSL_free(raw)
        unsafe scratch.deallocate()
    }

    /// Puts the peer's bytes where OpenSSL reads.
    func feed(_ bytes: [UInt8]) throws(TLSError) {
        guard let count = Int32(exactly: bytes.count) else { throw .tooLong(bytes: bytes.count, limit: Int(Int32.max)) }
        guard count > 0 else { return }
        guard unsafe BIO_write(input, bytes, count) == count else { throw .fromLibrary("BIO_write") }
    }

    /// Takes what OpenSSL wrote for the peer.
    func drain() -> [UInt8] {
        let count = unsafe BIO_ctrl_pending(output)
        guard count > 0 else { return [] }
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = unsafe max(0, Int(BIO_read(output, buffer.baseAddress, Int32(clamping: buffer.count))))
        }
    }

    /// The plaintext of the next record; empty where there is none, `code` then is OpenSSL's for the reason.
    func readRecord() -> (bytes: [UInt8], code: Int32) {
        let code = unsafe SSL_read(raw, scratch.baseAddress, Int32(clamping: scratch.count))
        guard code > 0 else { return ([], code) }
        let record = unsafe UnsafeMutableRawBufferPointer(rebasing: scratch[..<Int(code)])
        let bytes = unsafe [UInt8](record)
        unsafe OPENSSL_cleanse(record.baseAddress, record.count)
        return (bytes, code)
    }

    /// The most plaintext that a record to the peer may carry.
    var recordLimit: Int {
        let code = unsafe SSL_get_session(raw).map { unsafe SSL_SESSION_get_max_fragment_length($0) } ?? 0
        return TLSFragmentLength(rawValue: code)?.bytes ?? Int(SSL3_RT_MAX_PLAIN_LENGTH)
    }

    /// The number of the suite that was agreed on.
    var suite: UInt16? {
        unsafe SSL_get_current_cipher(raw).map { unsafe SSL_CIPHER_get_protocol_id($0) }
    }
}
