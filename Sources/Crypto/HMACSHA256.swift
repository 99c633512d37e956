internal import CCrypto

/// HMAC-SHA256 under one key; the key schedule is made once and used for every message.
///
/// Not for use from two threads at a time.
@safe
package final class HMACSHA256 {
    /// Bytes of a code.
    package static let length = 32

    private let context: OpaquePointer

    /// Prepares the key; any length, also empty, is allowed by RFC 2104.
    package init(key: SecretKey) throws(CryptoError) {
        guard let algorithm = unsafe Algorithms.hmac.raw, let context = unsafe EVP_MAC_CTX_new(algorithm) else {
            throw .fromLibrary("EVP_MAC_CTX_new")
        }
        unsafe self.context = context
        guard unsafe Self.setKey(key, in: context) == 1 else { throw .fromLibrary("EVP_MAC_init") }
    }

    deinit { unsafe EVP_MAC_CTX_free(context) }

    /// The code of one message.
    package static func code(for bytes: [UInt8], key: SecretKey) throws(CryptoError) -> [UInt8] {
        try HMACSHA256(key: key).code(for: bytes)
    }

    /// The code of `bytes`.
    package func code(for bytes: [UInt8]) throws(CryptoError) -> [UInt8] {
        try code(for: bytes, in: bytes.indices)
    }

    /// The code of a part of `bytes`, which saves copying it out.
    package func code(for bytes: [UInt8], in range: Range<Int>) throws(CryptoError) -> [UInt8] {
        precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count, "range outside the message")
        var code = [UInt8](repeating: 0, count: Self.length)
        var written = 0
        // A null key starts over with the key set before.
        let result = unsafe code.withUnsafeMutableBufferPointer { output in
            unsafe bytes.withUnsafeBufferPointer { input in
                guard unsafe EVP_MAC_init(context, nil, 0, nil) == 1 else { return Int32(0) }
                let start = unsafe input.baseAddress.map { unsafe $0 + range.lowerBound }
                guard unsafe range.isEmpty || EVP_MAC_update(context, start, range.count) == 1 else { return 0 }
                return unsafe EVP_MAC_final(context, output.baseAddress, &written, output.count)
            }
        }
        guard result == 1, written == Self.length else { throw .fromLibrary("EVP_MAC_final") }
        return code
    }

    /// Whether `code` is the code of `bytes`; compared in constant time.
    package func verifies(_ code: ArraySlice<UInt8>, for bytes: [UInt8]) throws(CryptoError) -> Bool {
        ConstantTime.equal(try self.code(for: bytes)[...], code)
    }

    private static func setKey(_ key: SecretKey, in context: OpaquePointer) -> Int32 {
        var digestName: [CChar] = [83, 72, 65, 50, 53, 54, 0]  // SHA256
        return unsafe digestName.withUnsafeMutableBufferPointer { name in
            // The parameter keeps the address of its own name, too, which must live as long as it.
            unsafe OSSL_MAC_PARAM_DIGEST.withCString { parameterName in
                let parameters = unsafe [
                    OSSL_PARAM_construct_utf8_string(parameterName, name.baseAddress, 0),
                    OSSL_PARAM_construct_end(),
                ]
                return unsafe key.withBytes { bytes in
                    // An empty key still needs an address: null means "keep the key".
                    var placeholder: UInt8 = 0
                    return unsafe withUnsafePointer(to: &placeholder) { empty in
                        let address = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) ?? empty
                        return unsafe EVP_MAC_init(context, address, bytes.count, parameters)
                    }
                }
            }
        }
    }
}
