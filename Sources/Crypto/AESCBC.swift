internal import CCrypto

/// AES-128 in CBC mode, one-shot.
package enum AESCBC {
    private static let keyLength = 16

    /// Encrypts `bytes` with PKCS#7 padding.
    ///
    /// - Parameters:
    ///   - key: 16 bytes.
    ///   - vector: 16 bytes, never used twice with the same key.
    package static func encryptPadded(
        _ bytes: [UInt8],
        key: SecretKey,
        vector: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        var result = bytes
        PKCS7.pad(&result, from: 0)
        try transform(&result, key: key, vector: vector, direction: .encrypt)
        return result
    }

    /// Decrypts `bytes` and removes the PKCS#7 padding.
    package static func decryptPadded(
        _ bytes: [UInt8],
        key: SecretKey,
        vector: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        var result = bytes
        try transform(&result, key: key, vector: vector, direction: .decrypt)
        try PKCS7.removePadding(&result, from: 0)
        return result
    }

    /// Encrypts whole blocks, without padding.
    package static func encryptBlocks(
        _ bytes: [UInt8],
        key: SecretKey,
        vector: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        var result = bytes
        try transform(&result, key: key, vector: vector, direction: .encrypt)
        return result
    }

    /// Decrypts whole blocks, without looking for padding.
    package static func decryptBlocks(
        _ bytes: [UInt8],
        key: SecretKey,
        vector: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        var result = bytes
        try transform(&result, key: key, vector: vector, direction: .decrypt)
        return result
    }

    private static func transform(
        _ bytes: inout [UInt8],
        key: SecretKey,
        vector: [UInt8],
        direction: CipherContext.Direction
    ) throws(CryptoError) {
        guard bytes.count % PKCS7.block == 0 else {
            throw .notBlockAligned(length: bytes.count, block: PKCS7.block)
        }
        guard vector.count == PKCS7.block else {
            throw .nonceLength(actual: vector.count, expected: PKCS7.block)
        }
        let context = try CipherContext(Algorithms.aes128CBC, key: key, keyLength: keyLength, direction: direction)
        let started = unsafe vector.withUnsafeBufferPointer { unsafe context.restart(vector: $0.baseAddress) }
        let done =
            unsafe started
            && bytes.withUnsafeMutableBufferPointer { buffer in
                unsafe context.update(inPlace: buffer.baseAddress, count: buffer.count)
            }
        guard done else { throw .fromLibrary("EVP_CipherUpdate CBC") }
    }
}
