/// Random AES-GCM nonces, drawn from the generator in batches because one call for 12 bytes costs as much as one for 768.
package struct RandomNonces: Sendable {
    private static let batch = 64
    private var pool: [UInt8] = []
    private var used = 0

    /// An empty stock; the first nonce fills it.
    package init() {}

    /// Appends 12 bytes that were given out to nobody before.
    package mutating func append(to bytes: inout [UInt8]) throws(CryptoError) {
        if used == pool.count {
            pool = try SecureRandom.bytes(Self.batch * AESGCM.nonceLength)
            used = 0
        }
        bytes.append(contentsOf: pool[used..<(used + AESGCM.nonceLength)])
        used += AESGCM.nonceLength
    }

    /// 12 bytes that were given out to nobody before.
    package mutating func next() throws(CryptoError) -> [UInt8] {
        var nonce: [UInt8] = []
        try append(to: &nonce)
        return nonce
    }
}
