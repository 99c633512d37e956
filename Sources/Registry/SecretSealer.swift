internal import Crypto

/// Seals secrets with AES-256-GCM so that they are no secrets in the database, its log or its copies.
///
/// A sealed value is `1` (the format), 12 random bytes of nonce, the ciphertext and the 16-byte tag. Owner and name are
/// authenticated with it, so that a row put in another's place does not open.
struct SecretSealer {
    private static let format: UInt8 = 1
    private let cipher: AESGCM

    init(_ key: SecretKey) throws(RegistryError) {
        do { cipher = try AESGCM(key: key) } catch { throw .crypto(detail: "\(error)") }
    }

    func seal(_ value: String, owner: SecretOwner, name: String) throws(RegistryError) -> [UInt8] {
        do {
            let nonce = try SecureRandom.bytes(AESGCM.nonceLength)
            let sealed = try cipher.seal([UInt8](value.utf8), nonce: nonce, additional: Self.additional(owner, name))
            return [Self.format] + nonce + sealed
        } catch {
            throw .crypto(detail: "\(error)")
        }
    }

    /// - Returns: nil where the key, the owner or the name is not the one it was sealed with, or bytes were changed.
    func open(_ sealed: [UInt8], owner: SecretOwner, name: String) -> String? {
        let start = 1 + AESGCM.nonceLength
        guard sealed.first == Self.format, sealed.count >= start + AESGCM.tagLength else { return nil }
        let opened = try? cipher.open(
            [UInt8](sealed[start...]),
            nonce: [UInt8](sealed[1..<start]),
            additional: Self.additional(owner, name)
        )
        return opened.map { String(decoding: $0, as: UTF8.self) }
    }

    private static func additional(_ owner: SecretOwner, _ name: String) -> [UInt8] {
        // No owner contains NUL, so no two pairs of owner and name give the same bytes.
        [UInt8](owner.text.utf8) + [0] + [UInt8](name.utf8)
    }
}
