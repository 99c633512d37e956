internal import CCrypto

/// Owns an `EVP_CIPHER_CTX *` that is set up for one algorithm, key and direction.
@safe
struct CipherContext: ~Copyable {
    enum Direction: Int32 {
        case decrypt = 0
        case encrypt = 1
    }

    let raw: OpaquePointer

    /// - Parameter keyLength: bytes the algorithm takes; another key length is refused.
    init(_ cipher: FetchedCipher, key: SecretKey, keyLength: Int, direction: Direction) throws(CryptoError) {
        guard key.count == keyLength else { throw .keyLength(actual: key.count, expected: keyLength) }
        guard let cipher = unsafe cipher.raw, let context = unsafe EVP_CIPHER_CTX_new() else {
            throw .fromLibrary("EVP_CIPHER_CTX_new")
        }
        let code = unsafe key.withBytes { bytes in
            let address = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            return unsafe EVP_CipherInit_ex(context, cipher, nil, address, nil, direction.rawValue)
        }
        guard code == 1, unsafe EVP_CIPHER_CTX_set_padding(context, 0) == 1 else {
            unsafe EVP_CIPHER_CTX_free(context)
            throw .fromLibrary("EVP_CipherInit_ex")
        }
        unsafe raw = context
    }

    deinit { unsafe EVP_CIPHER_CTX_free(raw) }

    /// Starts the next message with the same key and another initialisation vector.
    func restart(vector: UnsafePointer<UInt8>?) -> Bool {
        unsafe EVP_CipherInit_ex(raw, nil, nil, nil, vector, -1) == 1
    }

    /// Transforms `count` bytes at `address` where they are.
    func update(inPlace address: UnsafeMutablePointer<UInt8>?, count: Int) -> Bool {
        guard count > 0 else { return true }
        guard let count32 = Int32(exactly: count) else { return false }
        var written: Int32 = 0
        return unsafe EVP_CipherUpdate(raw, address, &written, address, count32) == 1 && written == count32
    }
}
