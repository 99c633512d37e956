extension String {
    /// Whether both strings are the same bytes.
    ///
    /// Swift's `==` takes canonically equivalent spellings for equal, so that `K` is the Kelvin sign (U+212A). To every
    /// other reader of JSON these are two keys, and so they are here.
    @inline(__always)
    func isIdentical(to other: String) -> Bool {
        utf8.count == other.utf8.count && hasBytes(of: other)
    }

    /// Compares the bytes of strings of the same length.
    private func hasBytes(of other: String) -> Bool {
        let fast: Bool?? = utf8.withContiguousStorageIfAvailable { left in
            other.utf8.withContiguousStorageIfAvailable { right in
                for offset in left.indices where left[offset] != right[offset] {
                    return false
                }
                return true
            }
        }
        // Native strings are contiguous; this is for strings from elsewhere.
        return (fast ?? nil) ?? utf8.elementsEqual(other.utf8)
    }
}

/// A key of an object, equal to another when it is the same bytes.
struct ByteKey: Hashable, Sendable {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    static func == (left: ByteKey, right: ByteKey) -> Bool {
        left.text.isIdentical(to: right.text)
    }

    func hash(into hasher: inout Hasher) {
        let done: Void? = text.utf8.withContiguousStorageIfAvailable {
            hasher.combine(bytes: UnsafeRawBufferPointer($0))
        }
        if done == nil {
            Array(text.utf8).withUnsafeBytes { hasher.combine(bytes: $0) }
        }
    }
}
