internal import CTLS
internal import Crypto

/// What OpenSSL asks and tells in the middle of a handshake; reached only from inside a call to its engine.
final class TLSCallbacks {
    let role: TLSRole
    /// The suites of the ClientHello, in its order.
    var offeredSuites: [UInt16] = []
    /// The identity that the client named.
    var identity: String?
    /// Whether the named identity was a stranger's.
    var isStranger = false

    init(_ role: TLSRole) {
        self.role = role
    }

    func key(for identity: String) -> SecretKey? {
        self.identity = identity
        guard case .server(let keyFor) = role, let key = keyFor(identity) else {
            isStranger = true
            return nil
        }
        return key
    }
}

private func callbacks(of ssl: OpaquePointer?) -> TLSCallbacks? {
    guard let ssl = unsafe ssl, let data = unsafe SSL_get_ex_data(ssl, 0) else { return nil }
    return unsafe Unmanaged<TLSCallbacks>.fromOpaque(data).takeUnretainedValue()
}

/// Copies a key to where OpenSSL wants it; 0 means that there is none.
private func hand(_ key: SecretKey, to place: UnsafeMutablePointer<UInt8>?, _ room: UInt32) -> UInt32 {
    guard let place = unsafe place, key.count <= Int(room) else { return 0 }
    var bytes = key.exposedBytes
    unsafe bytes.withUnsafeMutableBytes { buffer in
        guard let base = buffer.baseAddress else { return }
        unsafe UnsafeMutableRawPointer(place).copyMemory(from: base, byteCount: buffer.count)
        unsafe OPENSSL_cleanse(base, buffer.count)
    }
    return UInt32(key.count)
}

func serverKey(
    _ ssl: OpaquePointer?,
    _ identity: UnsafePointer<CChar>?,
    _ place: UnsafeMutablePointer<UInt8>?,
    _ room: UInt32
) -> UInt32 {
    guard let callbacks = unsafe callbacks(of: ssl), let identity = unsafe identity,
        let key = callbacks.key(for: unsafe String(cString: identity))
    else { return 0 }
    return unsafe hand(key, to: place, room)
}

func clientKey(
    _ ssl: OpaquePointer?,
    _ hint: UnsafePointer<CChar>?,
    _ identityPlace: UnsafeMutablePointer<CChar>?,
    _ identityRoom: UInt32,
    _ place: UnsafeMutablePointer<UInt8>?,
    _ room: UInt32
) -> UInt32 {
    guard let callbacks = unsafe callbacks(of: ssl), let identityPlace = unsafe identityPlace,
        case .client(let identity, let key) = callbacks.role
    else { return 0 }
    let text = identity.utf8CString
    // The room counts the NUL.
    guard text.count <= Int(identityRoom) else { return 0 }
    for (offset, character) in text.enumerated() { unsafe identityPlace[offset] = character }
    return unsafe hand(key, to: place, room)
}

func sawClientHello(
    _ ssl: OpaquePointer?,
    _: UnsafeMutablePointer<Int32>?,
    _: UnsafeMutableRawPointer?
) -> Int32 {
    var list: UnsafePointer<UInt8>?
    let count = unsafe SSL_client_hello_get0_ciphers(ssl, &list)
    if let callbacks = unsafe callbacks(of: ssl), let list = unsafe list {
        callbacks.offeredSuites = stride(from: 0, to: count - count % 2, by: 2).map { offset in
            unsafe UInt16(list[offset]) << 8 | UInt16(list[offset + 1])
        }
    }
    return SSL_CLIENT_HELLO_SUCCESS
}
