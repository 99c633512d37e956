package import Crypto

/// The device's side of agreeing on a session key, for simulators.
package struct DeviceNegotiation {
    /// The codec under the local key, in force until the key is agreed on.
    package let codec: SessionCodec

    private let nonce: [UInt8]
    private let localKey: LocalKey

    /// - Parameters:
    ///   - version: 3.4 or 3.5.
    ///   - nonce: 16 random bytes, new for every connection.
    package init(version: ProtocolVersion, localKey: LocalKey, nonce: [UInt8]) throws(TuyaProtocolError) {
        guard version.negotiates else { throw .unsupportedVersion(version.text) }
        precondition(nonce.count == Negotiation.nonceCount, "the device's nonce has 16 bytes")
        codec = try SessionCodec(version: version, key: localKey.secret)
        self.nonce = nonce
        self.localKey = localKey
    }

    /// Answers the client's first frame.
    ///
    /// - Returns: the frame to send, and the key that is in force once ``accepts(_:)`` has said yes.
    package func answer(
        _ frame: Frame,
        sequence: UInt32,
        options: AnswerOptions = AnswerOptions()
    ) throws(TuyaProtocolError) -> (bytes: [UInt8], key: SecretKey) {
        guard frame.command == .negotiationStart else {
            throw .negotiationUnexpectedCommand(frame.command.rawValue)
        }
        let clientNonce = try codec.plaintext(of: frame)
        guard clientNonce.count == Negotiation.nonceCount else { throw .negotiationShort }
        let proof: [UInt8]
        let key: SecretKey
        do throws(CryptoError) {
            proof = try HMACSHA256.code(for: clientNonce, key: localKey.secret)
            key = try SessionKey.derive(codec.version, localKey, clientNonce: clientNonce, deviceNonce: nonce)
        } catch { throw .from(error) }
        let bytes = try codec.answer(.negotiationAnswer, sequence: sequence, options: options, body: nonce + proof)
        return (bytes, key)
    }

    /// Whether the client's last frame proves that it knows the local key.
    package func accepts(_ frame: Frame) throws(TuyaProtocolError) -> Bool {
        guard frame.command == .negotiationFinish else {
            throw .negotiationUnexpectedCommand(frame.command.rawValue)
        }
        let proof = try codec.plaintext(of: frame)
        do throws(CryptoError) {
            return try HMACSHA256(key: localKey.secret).verifies(proof[...], for: nonce)
        } catch { throw .from(error) }
    }
}
