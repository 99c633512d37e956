internal import CCrypto

/// Key material that never prints itself and is wiped when the last copy goes.
///
/// Equality takes the same time wherever the bytes differ.
package struct SecretKey: Sendable, Equatable {
    private let storage: Storage

    /// Copies `bytes`; the caller's copy stays the caller's to forget.
    package init(_ bytes: some Collection<UInt8>) {
        storage = Storage(bytes)
    }

    /// Number of bytes.
    package var count: Int { unsafe storage.bytes.count }

    /// A copy of the bytes, for deriving other keys and for sealing.
    package var exposedBytes: [UInt8] { unsafe [UInt8](storage.bytes) }

    package static func == (left: SecretKey, right: SecretKey) -> Bool {
        ConstantTime.equal(left.exposedBytes, right.exposedBytes)
    }

    func withBytes<Result: ~Copyable>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        unsafe body(UnsafeRawBufferPointer(storage.bytes))
    }
}

extension SecretKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "<redacted>" }
    package var debugDescription: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

// The memory is written in `init` and wiped in `deinit` only; between the two it is read, from any thread.
@safe
private final class Storage: @unchecked Sendable {
    let bytes: UnsafeMutableRawBufferPointer

    init(_ source: some Collection<UInt8>) {
        unsafe bytes = .allocate(byteCount: source.count, alignment: 1)
        unsafe bytes.copyBytes(from: source)
    }

    deinit {
        unsafe OPENSSL_cleanse(bytes.baseAddress, bytes.count)
        unsafe bytes.deallocate()
    }
}
