internal import CTLS

/// TLS 1.2 with a pre-shared key, without any input or output of its own: bytes from the peer go in, bytes for the peer
/// come out.
///
/// Tickets, session caches and renegotiation are off. Not for use from two threads at a time.
@safe
package final class TLSEngine {
    /// How far the conversation is.
    package enum State: Equatable, Sendable {
        case handshaking
        case established
        /// One side has given notice that it will send no more.
        case ended
        case failed(TLSError)
    }

    package private(set) var state = State.handshaking

    private let ssl: SSLHandle
    private let callbacks: TLSCallbacks

    /// - Throws: ``TLSError/library(operation:words:)``.
    package init(_ role: TLSRole, options: TLSOptions = TLSOptions()) throws(TLSError) {
        let isServer = if case .server = role { true } else { false }
        let callbacks = TLSCallbacks(role)
        let context = try SSLContext(options, isServer: isServer)
        ssl = try SSLHandle(context, isServer: isServer, callbacks: callbacks)
        self.callbacks = callbacks
    }

    // MARK: What is known

    /// Whether the handshake is over and the conversation is not.
    package var isEstablished: Bool { state == .established }
    /// The identity that the client named; servers know it.
    package var peerIdentity: String? { callbacks.identity }
    /// The numbers in the client's offer, in its order, signalling values among them; servers know them.
    package var offeredSuites: [UInt16] { callbacks.offeredSuites }
    /// The number of the suite that was agreed on.
    package var suite: UInt16? { isEstablished ? ssl.suite : nil }
    /// The most bytes that one call to ``send(_:)`` takes: 16384, or less where the client asked for less.
    package var recordLimit: Int { ssl.recordLimit }

    // MARK: Conversation

    /// Begins: a client's first bytes are then in the output, a server only waits.
    package func start() throws(TLSError) {
        guard state == .handshaking else { return }
        _ = try advance()
    }

    /// Takes bytes as they came from the peer.
    ///
    /// - Returns: plaintext, an element for each record. Where the conversation ends or fails behind a record, the
    ///   records are returned and ``state`` tells of the end.
    /// - Throws: what ended the conversation; an alert for the peer may be in the output.
    package func receive(_ bytes: [UInt8]) throws(TLSError) -> [[UInt8]] {
        switch state {
        case .ended: return []
        case .failed(let error): throw error
        case .handshaking, .established: break
        }
        try ssl.feed(bytes)
        return try advance()
    }

    /// Takes the end of the peer's bytes.
    ///
    /// - Throws: ``TLSError/truncated`` unless the peer had given notice.
    package func receiveEnd() throws(TLSError) {
        switch state {
        case .ended: return
        case .failed(let error): throw error
        case .handshaking, .established:
            state = .failed(.truncated)
            throw .truncated
        }
    }

    /// Encrypts bytes as one record; none for no bytes.
    ///
    /// - Throws: ``TLSError/tooLong(bytes:limit:)``, ``TLSError/notEstablished``, ``TLSError/closed``.
    package func send(_ plaintext: [UInt8]) throws(TLSError) {
        switch state {
        case .handshaking: throw .notEstablished
        case .ended: throw .closed
        case .failed(let error): throw error
        case .established: break
        }
        guard plaintext.count <= recordLimit else { throw .tooLong(bytes: plaintext.count, limit: recordLimit) }
        guard !plaintext.isEmpty else { return }
        ERR_clear_error()
        let code = unsafe SSL_write(ssl.raw, plaintext, Int32(plaintext.count))
        guard code == plaintext.count else { throw fail(code, "SSL_write") }
    }

    /// Takes the bytes that the peer must get; call it after each of the other functions, also where they throw.
    package func takeOutput() -> [UInt8] { ssl.drain() }

    /// Gives notice that no more will come.
    package func close() {
        guard isEstablished else {
            if state == .handshaking { state = .ended }
            return
        }
        state = .ended
        ERR_clear_error()
        // 0 means that the peer's notice is outstanding; nobody waits for it.
        unsafe SSL_shutdown(ssl.raw)
        ERR_clear_error()
    }

    // MARK: Steps

    /// Does what the bytes at hand allow.
    private func advance() throws(TLSError) -> [[UInt8]] {
        if state == .handshaking {
            ERR_clear_error()
            let code = unsafe SSL_do_handshake(ssl.raw)
            if code == 1 {
                state = .established
            } else if unsafe SSL_get_error(ssl.raw, code) != SSL_ERROR_WANT_READ {
                throw fail(code, "SSL_do_handshake")
            }
        }
        var records: [[UInt8]] = []
        while state == .established {
            guard let record = try read(hasRecords: !records.isEmpty) else { break }
            records.append(record)
        }
        return records
    }

    /// The next record; nil where there is none, or where the conversation ended or, behind other records, failed.
    private func read(hasRecords: Bool) throws(TLSError) -> [UInt8]? {
        ERR_clear_error()
        let (bytes, code) = ssl.readRecord()
        if code > 0 { return bytes }
        switch unsafe SSL_get_error(ssl.raw, code) {
        case SSL_ERROR_WANT_READ: return nil
        case SSL_ERROR_ZERO_RETURN:
            state = .ended
            return nil
        default:
            let error = fail(code, "SSL_read")
            if hasRecords { return nil }
            throw error
        }
    }

    /// Notes why the conversation failed.
    private func fail(_ code: Int32, _ operation: String) -> TLSError {
        let isHandshake = state == .handshaking
        let kind = unsafe SSL_get_error(ssl.raw, code)
        let error = error(SSLFailure.take(), isHandshake: isHandshake, isProtocol: kind == SSL_ERROR_SSL, operation)
        state = .failed(error)
        return error
    }

    private func error(
        _ failure: SSLFailure,
        isHandshake: Bool,
        isProtocol: Bool,
        _ operation: String
    ) -> TLSError {
        if callbacks.isStranger, let identity = callbacks.identity { return .unknownIdentity(identity) }
        if let alert = failure.alert { return .alert(number: alert, words: failure.words) }
        switch failure.reason {
        case SSL_R_NO_SHARED_CIPHER: return .noCommonSuite(offered: offeredSuites)
        // The first encrypted message is the one that shows whether the keys are the same.
        case SSL_R_DECRYPTION_FAILED_OR_BAD_RECORD_MAC where isHandshake, SSL_R_DIGEST_CHECK_FAILED: return .keysDiffer
        default: break
        }
        return isProtocol ? .malformed(words: failure.words) : .library(operation: operation, words: failure.words)
    }
}
