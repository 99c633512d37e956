internal import CCrypto

/// Unpredictable bytes from libcrypto's generator, which seeds itself from the kernel.
package enum SecureRandom {
    /// `count` random bytes.
    ///
    /// - Throws: ``CryptoError/library(operation:code:)`` when there is no entropy; never returns weak bytes.
    package static func bytes(_ count: Int) throws(CryptoError) -> [UInt8] {
        precondition(count >= 0, "a count is not negative")
        guard let count32 = Int32(exactly: count) else { throw .invalidParameter("count \(count)") }
        var bytes = [UInt8](repeating: 0, count: count)
        guard count > 0 else { return bytes }
        let code = unsafe bytes.withUnsafeMutableBufferPointer { unsafe RAND_bytes($0.baseAddress, count32) }
        guard code == 1 else { throw .fromLibrary("RAND_bytes") }
        return bytes
    }
}
