package import Crypto

/// The client's side of agreeing on a session key (3.4 and 3.5).
///
/// ```
/// let negotiation = try Negotiation(version: .v34, localKey: key, nonce: SecureRandom.bytes(16))
/// send(try negotiation.start(sequence: 1))
/// …                                             // frames are verified with negotiation.codec.protection
/// switch try negotiation.receive(frame) {
/// case .ignored: …                              // keep waiting
/// case .agreed(let agreement):
///     send(try negotiation.finish(agreement, sequence: 2))
/// }
/// ```
///
/// Source: protocol description, section 3.6.
package struct Negotiation {
    /// Bytes of either side's nonce.
    package static let nonceCount = 16

    /// The codec under the local key, in force until the key is agreed on.
    package let codec: SessionCodec

    private let nonce: [UInt8]
    private let localKey: LocalKey

    /// What a received frame did.
    package enum Progress {
        /// A report or heartbeat that came in between; keep waiting.
        case ignored
        case agreed(Agreement)
    }

    /// What both sides know now.
    package struct Agreement: Sendable {
        /// In force for every frame after the last step.
        package let key: SecretKey
        /// `false` for a key that begins with a zero byte: the vendor's open SDK takes it for "no key" and drops what
        /// follows; close, wait a second, connect again with another nonce.
        package let isUsable: Bool
        /// 32 bytes for the last step.
        let proof: [UInt8]
    }

    /// - Parameters:
    ///   - version: 3.4 or 3.5.
    ///   - nonce: 16 random bytes, new for every connection.
    package init(version: ProtocolVersion, localKey: LocalKey, nonce: [UInt8]) throws(TuyaProtocolError) {
        guard version.negotiates else { throw .unsupportedVersion(version.text) }
        precondition(nonce.count == Self.nonceCount, "the client's nonce has 16 bytes")
        codec = try SessionCodec(version: version, key: localKey.secret)
        self.nonce = nonce
        self.localKey = localKey
    }

    /// The first frame.
    package func start(sequence: UInt32) throws(TuyaProtocolError) -> [UInt8] {
        try codec.request(.negotiationStart, sequence: sequence, body: nonce)
    }

    /// Reads a frame that came while the device's answer is awaited.
    ///
    /// - Throws: ``TuyaProtocolError/negotiationHMACMismatch`` for a wrong local key,
    ///   ``TuyaProtocolError/negotiationShort``, ``TuyaProtocolError/negotiationUnexpectedCommand(_:)`` for a device that
    ///   speaks another version, and what reading the payload throws. Every error ends the connection.
    package func receive(_ frame: Frame) throws(TuyaProtocolError) -> Progress {
        switch frame.command {
        case .report, .heartbeat: return .ignored
        case .negotiationAnswer: break
        default: throw .negotiationUnexpectedCommand(frame.command.rawValue)
        }
        let answer = try codec.plaintext(of: frame)
        guard answer.count >= Self.nonceCount + HMACSHA256.length else { throw .negotiationShort }
        let deviceNonce = [UInt8](answer[..<Self.nonceCount])
        let proof = answer[Self.nonceCount..<(Self.nonceCount + HMACSHA256.length)]
        do throws(CryptoError) {
            guard try HMACSHA256(key: localKey.secret).verifies(proof, for: nonce) else {
                throw CryptoError.authenticationFailed
            }
            let key = try SessionKey.derive(codec.version, localKey, clientNonce: nonce, deviceNonce: deviceNonce)
            return .agreed(
                Agreement(
                    key: key,
                    isUsable: key.exposedBytes.first != 0,
                    proof: try HMACSHA256.code(for: deviceNonce, key: localKey.secret)
                )
            )
        } catch {
            throw error == .authenticationFailed ? .negotiationHMACMismatch : .from(error)
        }
    }

    /// The last frame; the device does not answer it, and the first request may follow at once.
    package func finish(_ agreement: Agreement, sequence: UInt32) throws(TuyaProtocolError) -> [UInt8] {
        try codec.request(.negotiationFinish, sequence: sequence, body: agreement.proof)
    }
}
