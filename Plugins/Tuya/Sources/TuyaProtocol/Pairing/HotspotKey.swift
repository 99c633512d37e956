package import Crypto

/// The pre-shared key of the AP+ pairing's TLS, where the device is the TLS client.
///
/// Source: protocol description, section 8.3.
package struct HotspotKey: Equatable, Sendable {
    /// Sent by the device in clear.
    package let identity: String
    package let key: SecretKey
    /// TCP port that the device listens on.
    package let port: UInt16

    /// TLS_ECDHE_PSK_WITH_AES_128_CBC_SHA256, the only suite that devices offer.
    package static let cipherSuite: UInt16 = 0xC037

    /// For devices without a pin code; known to everyone.
    package static let fixed = HotspotKey(
        identity: "psk_identity",
        key: SecretKey([UInt8]("123456".utf8)),
        port: 6668
    )

    /// For devices with a pin code, printed or as a QR code.
    package static func pin(_ pin: String, uuid: String) throws(TuyaProtocolError) -> HotspotKey {
        do throws(CryptoError) {
            let key = try KeyDerivation.pbkdf2SHA256(
                password: SecretKey([UInt8](pin.utf8)),
                salt: [UInt8](uuid.utf8),
                iterations: 1024,
                length: 37
            )
            return HotspotKey(identity: uuid, key: key, port: 7001)
        } catch { throw .from(error) }
    }
}
