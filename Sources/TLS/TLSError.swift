package import EventLoop

/// What can go wrong on an encrypted connection.
///
/// No case carries key material or plaintext.
package enum TLSError: Error, Equatable, Sendable {
    /// The client offers none of our suites; the numbers are those that it offered.
    case noCommonSuite(offered: [UInt16])
    /// The client named an identity that we have no key for.
    case unknownIdentity(String)
    /// The two sides hold different keys.
    case keysDiffer
    /// The peer gave up; `number` is that of RFC 5246, section 7.2, `words` are OpenSSL's.
    case alert(number: UInt8, words: String)
    /// The peer's bytes are no proper TLS; `words` are OpenSSL's.
    case malformed(words: String)
    /// The bytes ended without the notice that they are complete.
    case truncated
    /// The handshake did not end within the deadline.
    case timedOut(after: Duration)
    /// Nothing can be sent before the handshake is over.
    case notEstablished
    /// The connection has ended.
    case closed
    /// More than one record holds.
    case tooLong(bytes: Int, limit: Int)
    /// The connection underneath broke.
    case connection(LoopError)
    /// OpenSSL failed for a reason of its own, such as missing memory.
    case library(operation: String, words: String)
}
