internal import Crypto

/// Why bytes from the network could not be understood, or why bytes for it could not be made.
///
/// ``code`` is the name that the protocol description uses.
package enum TuyaProtocolError: Error, Equatable, Sendable {
    // Frames.
    case badLength
    case badSuffix
    case crcMismatch
    case hmacMismatch
    case gcmAuthFailed

    // Payloads.
    case badCiphertextLength
    case badPadding
    case badBase64

    // Negotiation of the session key.
    case negotiationHMACMismatch
    case negotiationShort
    case negotiationUnexpectedCommand(UInt32)

    // Datagrams.
    case unknownDatagram
    case truncated
    case badJSON
    case missingGatewayID

    // Our own side.
    case unsupportedVersion(String)
    case tooLong(bytes: Int, limit: Int)
    case cryptoFailed(String)

    /// The name in the protocol description, stable, for logs and tests.
    package var code: String {
        switch self {
        case .badLength: "bad_length"
        case .badSuffix: "bad_suffix"
        case .crcMismatch: "crc_mismatch"
        case .hmacMismatch: "hmac_mismatch"
        case .gcmAuthFailed: "gcm_auth_failed"
        case .badCiphertextLength: "bad_ciphertext_length"
        case .badPadding: "bad_padding"
        case .badBase64: "bad_base64"
        case .negotiationHMACMismatch: "negotiation_hmac_mismatch"
        case .negotiationShort: "negotiation_short"
        case .negotiationUnexpectedCommand: "negotiation_unexpected_command"
        case .unknownDatagram: "unknown_datagram"
        case .truncated: "truncated"
        case .badJSON: "bad_json"
        case .missingGatewayID: "missing_gwId"
        case .unsupportedVersion: "unsupported_version"
        case .tooLong: "too_long"
        case .cryptoFailed: "crypto_failed"
        }
    }

    /// Whether the frame's checksum, code or tag did not fit; three in a row close a connection.
    package var isChecksumFailure: Bool {
        switch self {
        case .crcMismatch, .hmacMismatch, .gcmAuthFailed: true
        default: false
        }
    }

    /// Whether the likely cause is another local key or another protocol version than the device uses.
    package var suggestsWrongKeyOrVersion: Bool {
        switch self {
        case .hmacMismatch, .gcmAuthFailed, .badCiphertextLength, .badPadding, .badBase64, .negotiationHMACMismatch,
            .negotiationShort, .negotiationUnexpectedCommand:
            true
        default: false
        }
    }

    static func from(_ error: CryptoError) -> TuyaProtocolError {
        switch error {
        case .badPadding: .badPadding
        case .notBlockAligned: .badCiphertextLength
        case .authenticationFailed: .gcmAuthFailed
        default: .cryptoFailed("\(error)")
        }
    }
}
