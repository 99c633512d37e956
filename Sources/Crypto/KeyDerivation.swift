internal import CCrypto

/// Keys from passwords.
package enum KeyDerivation {
    /// PBKDF2 with HMAC-SHA256 (RFC 8018).
    ///
    /// - Parameters:
    ///   - iterations: 1 or more.
    ///   - length: bytes wanted, 1 or more.
    package static func pbkdf2SHA256(
        password: SecretKey,
        salt: [UInt8],
        iterations: Int,
        length: Int
    ) throws(CryptoError) -> SecretKey {
        guard iterations > 0, let rounds = Int32(exactly: iterations) else {
            throw .invalidParameter("iterations \(iterations)")
        }
        guard length > 0, let outputCount = Int32(exactly: length), let saltCount = Int32(exactly: salt.count),
            let passwordCount = Int32(exactly: password.count)
        else { throw .invalidParameter("length \(length)") }
        guard let digest = unsafe Algorithms.sha256.raw else { throw .fromLibrary("fetch SHA-256") }
        return try unsafe derive("PKCS5_PBKDF2_HMAC", length: length, password: password, salt: salt) {
            secret,
            salt,
            output in
            unsafe PKCS5_PBKDF2_HMAC(secret, passwordCount, salt, saltCount, rounds, digest, outputCount, output)
        }
    }

    /// scrypt (RFC 7914); takes about 128 · `cost` · `blockSize` bytes of memory and must not run on the loop.
    ///
    /// - Parameters:
    ///   - cost: N, a power of two above 1.
    ///   - blockSize: r, 1 or more.
    ///   - parallelism: p, 1 or more.
    ///   - length: bytes wanted, 1 or more.
    package static func scrypt(
        password: SecretKey,
        salt: [UInt8],
        cost: Int,
        blockSize: Int = 8,
        parallelism: Int = 1,
        length: Int
    ) throws(CryptoError) -> SecretKey {
        guard cost > 1, cost & (cost - 1) == 0 else { throw .invalidParameter("cost \(cost)") }
        guard blockSize > 0, parallelism > 0, blockSize <= 1024, parallelism <= 1024, cost <= 1 << 24 else {
            throw .invalidParameter("blockSize \(blockSize), parallelism \(parallelism), cost \(cost)")
        }
        guard length > 0 else { throw .invalidParameter("length \(length)") }
        let memory = UInt64(128 * blockSize) * UInt64(cost + parallelism + 2) + (1 << 20)
        let saltCount = salt.count
        return try unsafe derive("EVP_PBE_scrypt", length: length, password: password, salt: salt) {
            secret,
            salt,
            output in
            unsafe EVP_PBE_scrypt(
                secret,
                password.count,
                salt,
                saltCount,
                UInt64(cost),
                UInt64(blockSize),
                UInt64(parallelism),
                memory,
                output,
                length
            )
        }
    }

    private static func derive(
        _ operation: String,
        length: Int,
        password: SecretKey,
        salt: [UInt8],
        with body: (UnsafePointer<CChar>?, UnsafePointer<UInt8>?, UnsafeMutablePointer<UInt8>?) -> Int32
    ) throws(CryptoError) -> SecretKey {
        var derived = [UInt8](repeating: 0, count: length)
        let code = unsafe derived.withUnsafeMutableBufferPointer { output in
            unsafe salt.withUnsafeBufferPointer { salt in
                unsafe password.withBytes { secret in
                    let address = unsafe secret.baseAddress?.assumingMemoryBound(to: CChar.self)
                    return unsafe body(address, salt.baseAddress, output.baseAddress)
                }
            }
        }
        guard code == 1 else { throw .fromLibrary(operation) }
        defer { unsafe derived.withUnsafeMutableBytes { unsafe OPENSSL_cleanse($0.baseAddress, $0.count) } }
        return SecretKey(derived)
    }
}
