internal import Crypto

/// How the session key follows from the local key and both nonces.
enum SessionKey {
    /// - Parameters:
    ///   - clientNonce: 16 bytes.
    ///   - deviceNonce: 16 bytes.
    static func derive(
        _ version: ProtocolVersion,
        _ localKey: LocalKey,
        clientNonce: [UInt8],
        deviceNonce: [UInt8]
    ) throws(CryptoError) -> SecretKey {
        let mixed = zip(clientNonce, deviceNonce).map { $0 ^ $1 }
        if version == .v34 { return SecretKey(try AESECB(key: localKey.secret).encryptBlocks(mixed)) }
        let sealed = try AESGCM(key: localKey.secret).seal(mixed, nonce: [UInt8](clientNonce.prefix(12)))
        return SecretKey(sealed.prefix(mixed.count))
    }
}
