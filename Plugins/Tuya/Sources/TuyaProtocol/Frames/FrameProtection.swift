package import Crypto

/// What proves that a frame is whole and from where it should be: the checksum or the key in force.
///
/// It changes in the middle of a session, when a key has been negotiated. Not for use from two threads at a time.
package struct FrameProtection {
    /// How classic frames are protected.
    package enum Classic {
        case crc
        case hmac(HMACSHA256)

        /// Bytes at the end of the frame, before the suffix.
        var codeCount: Int {
            switch self {
            case .crc: 4
            case .hmac: HMACSHA256.length
            }
        }
    }

    /// `nil`: a classic frame does not belong here.
    package var classic: Classic?
    /// `nil`: a sealed frame does not belong here.
    package var sealed: AESGCM?

    /// Protection by any of the two; mostly for tests, see ``init(version:key:)``.
    package init(classic: Classic?, sealed: AESGCM?) {
        self.classic = classic
        self.sealed = sealed
    }

    /// The protection that `version` asks for.
    ///
    /// - Parameter key: 16 bytes: the local key, or the session key once there is one.
    package init(version: ProtocolVersion, key: SecretKey) throws(TuyaProtocolError) {
        do throws(CryptoError) {
            switch version {
            case .v31, .v32, .v33: self.init(classic: .crc, sealed: nil)
            case .v34: self.init(classic: .hmac(try HMACSHA256(key: key)), sealed: nil)
            case .v35, .unknown: self.init(classic: nil, sealed: try AESGCM(key: key))
            }
        } catch { throw .from(error) }
    }

    /// Classic frames with a CRC, which anyone can make.
    package static var crc: FrameProtection { FrameProtection(classic: .crc, sealed: nil) }
}
