internal import CCrypto

/// Algorithm implementations that are fetched from libcrypto once a process.
///
/// Fetching searches the providers under a lock (microseconds); what it returns is immutable, counted by reference and
/// may be used from every thread, which is what makes the wrappers below `Sendable`. They live as long as the process.
enum Algorithms {
    static let md5 = FetchedDigest("MD5")
    static let sha256 = FetchedDigest("SHA256")
    static let hmac = FetchedMAC("HMAC")
    static let aes128ECB = FetchedCipher("AES-128-ECB")
    static let aes256ECB = FetchedCipher("AES-256-ECB")
    static let aes128CBC = FetchedCipher("AES-128-CBC")
    static let aes128GCM = FetchedCipher("AES-128-GCM")
    static let aes256GCM = FetchedCipher("AES-256-GCM")
}

@safe
struct FetchedDigest: @unchecked Sendable {
    let raw: OpaquePointer?

    init(_ name: String) { unsafe raw = EVP_MD_fetch(nil, name, nil) }
}

@safe
struct FetchedMAC: @unchecked Sendable {
    let raw: OpaquePointer?

    init(_ name: String) { unsafe raw = EVP_MAC_fetch(nil, name, nil) }
}

@safe
struct FetchedCipher: @unchecked Sendable {
    let raw: OpaquePointer?

    init(_ name: String) { unsafe raw = EVP_CIPHER_fetch(nil, name, nil) }
}
