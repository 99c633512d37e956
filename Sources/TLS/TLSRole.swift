package import Crypto

/// Which side of the handshake an engine plays, and how it comes by the pre-shared key.
package enum TLSRole {
    /// Waits for the peer to begin; `keyFor` gets the identity that the peer names and returns nil for a stranger.
    ///
    /// It is called in the middle of the handshake and must not touch the engine.
    case server(keyFor: (String) -> SecretKey?)
    /// Begins. The identity travels in clear: at most 255 bytes, without NUL.
    case client(identity: String, key: SecretKey)
}
