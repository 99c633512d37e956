internal import CCrypto

/// One-shot message digests.
package enum Digest {
    /// MD5, 16 bytes; for vendor protocols that ask for it, never for security.
    package static func md5(_ bytes: [UInt8]) throws(CryptoError) -> [UInt8] {
        try compute(Algorithms.md5, of: bytes, length: 16, name: "MD5")
    }

    /// SHA-256, 32 bytes.
    package static func sha256(_ bytes: [UInt8]) throws(CryptoError) -> [UInt8] {
        try compute(Algorithms.sha256, of: bytes, length: 32, name: "SHA-256")
    }

    private static func compute(
        _ algorithm: FetchedDigest,
        of bytes: [UInt8],
        length: Int,
        name: String
    ) throws(CryptoError) -> [UInt8] {
        guard unsafe algorithm.raw != nil else { throw .fromLibrary("fetch \(name)") }
        var digest = [UInt8](repeating: 0, count: length)
        var written: UInt32 = 0
        let code = unsafe digest.withUnsafeMutableBufferPointer { output in
            unsafe bytes.withUnsafeBytes { input in
                unsafe EVP_Digest(input.baseAddress, input.count, output.baseAddress, &written, algorithm.raw, nil)
            }
        }
        guard code == 1, Int(written) == length else { throw .fromLibrary("EVP_Digest \(name)") }
        return digest
    }
}
