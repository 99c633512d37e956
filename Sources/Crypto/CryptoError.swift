internal import CCrypto

/// What can go wrong in a cryptographic operation.
///
/// No case carries key material or plaintext.
package enum CryptoError: Error, Equatable, Sendable {
    /// The key has `actual` bytes where the algorithm takes `expected`.
    case keyLength(actual: Int, expected: Int)
    /// The nonce or initialisation vector has `actual` bytes where the algorithm takes `expected`.
    case nonceLength(actual: Int, expected: Int)
    /// The authentication tag has `actual` bytes where the algorithm takes `expected`.
    case tagLength(actual: Int, expected: Int)
    /// The input is not a whole number of blocks of `block` bytes.
    case notBlockAligned(length: Int, block: Int)
    /// The padding after decryption is not PKCS#7: a wrong key or damaged bytes.
    case badPadding
    /// The authentication tag does not fit: a wrong key or changed bytes.
    case authenticationFailed
    /// The text is not in the encoding it should be in; `offset` is the first byte that does not fit.
    case malformedText(offset: Int)
    /// A parameter is outside what the algorithm allows.
    case invalidParameter(String)
    /// libcrypto refused; `code` is its error number (0 where it gave none).
    case library(operation: String, code: UInt)

    /// Takes the newest error out of libcrypto's queue for this thread, and empties the queue.
    static func fromLibrary(_ operation: String) -> CryptoError {
        let code = ERR_peek_last_error()
        ERR_clear_error()
        return .library(operation: operation, code: UInt(code))
    }
}
