internal import CCrypto

/// AES-128 or AES-256 in ECB mode under one key, for vendor protocols that use it.
///
/// The key schedules are made once. Not for use from two threads at a time.
package final class AESECB {
    private let encryption: CipherContext
    private let decryption: CipherContext

    /// - Parameter key: 16 or 32 bytes.
    package init(key: SecretKey) throws(CryptoError) {
        let isLong = key.count == 32
        let cipher = isLong ? Algorithms.aes256ECB : Algorithms.aes128ECB
        let length = isLong ? 32 : 16
        encryption = try CipherContext(cipher, key: key, keyLength: length, direction: .encrypt)
        decryption = try CipherContext(cipher, key: key, keyLength: length, direction: .decrypt)
    }

    /// Encrypts whole blocks, without padding.
    package func encryptBlocks(_ bytes: [UInt8]) throws(CryptoError) -> [UInt8] {
        var result = bytes
        try encryptBlocks(&result, from: 0)
        return result
    }

    /// Decrypts whole blocks, without looking for padding.
    package func decryptBlocks(_ bytes: [UInt8]) throws(CryptoError) -> [UInt8] {
        var result = bytes
        try decryptBlocks(&result, from: 0)
        return result
    }

    /// Encrypts `bytes` with PKCS#7 padding.
    package func encryptPadded(_ bytes: [UInt8]) throws(CryptoError) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(PKCS7.paddedCount(bytes.count))
        result.append(contentsOf: bytes)
        PKCS7.pad(&result, from: 0)
        try encryptBlocks(&result, from: 0)
        return result
    }

    /// Decrypts `bytes` and removes the PKCS#7 padding.
    ///
    /// - Throws: ``CryptoError/badPadding`` after decrypting with the wrong key.
    package func decryptPadded(_ bytes: [UInt8]) throws(CryptoError) -> [UInt8] {
        var result = bytes
        try decryptBlocks(&result, from: 0)
        try PKCS7.removePadding(&result, from: 0)
        return result
    }

    /// Encrypts the whole blocks that stand in `bytes` from `start` on, where they are.
    package func encryptBlocks(_ bytes: inout [UInt8], from start: Int) throws(CryptoError) {
        try transform(&bytes, from: start, with: encryption)
    }

    /// Decrypts the whole blocks that stand in `bytes` from `start` on, where they are.
    package func decryptBlocks(_ bytes: inout [UInt8], from start: Int) throws(CryptoError) {
        try transform(&bytes, from: start, with: decryption)
    }

    private func transform(
        _ bytes: inout [UInt8],
        from start: Int,
        with context: borrowing CipherContext
    ) throws(CryptoError) {
        let count = bytes.count - start
        guard count >= 0, count % PKCS7.block == 0 else { throw .notBlockAligned(length: count, block: PKCS7.block) }
        // ECB keeps nothing between blocks, so the context needs no restart and no final call.
        let done = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
            unsafe context.update(inPlace: buffer.baseAddress.map { unsafe $0 + start }, count: count)
        }
        guard done else { throw .fromLibrary("EVP_CipherUpdate ECB") }
    }
}
