package import Crypto

/// A device's local key: 16 raw bytes, never trimmed, unescaped or escaped.
///
/// It prints as its first two characters and its length.
package struct LocalKey: Sendable, Equatable {
    /// Bytes of every local key.
    package static let length = 16

    /// The key material.
    package let secret: SecretKey

    /// What is wrong with the text of a key.
    package enum Problem: Error, Equatable, Sendable {
        /// Not 16 characters. `looksEscaped`: it holds HTML entities, which each stand for one character.
        case length(Int, looksEscaped: Bool)
        /// A character that is no single byte in ISO 8859-1; `offset` counts characters from 0.
        case notOneByte(offset: Int)
    }

    /// - Parameter text: 16 characters below U+0100; each becomes one byte.
    package init(_ text: String) throws(Problem) {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            guard let byte = UInt8(exactly: scalar.value) else { throw .notOneByte(offset: bytes.count) }
            bytes.append(byte)
        }
        guard bytes.count == Self.length else {
            throw .length(bytes.count, looksEscaped: Self.entities.contains { bytes.contains($0) })
        }
        secret = SecretKey(bytes)
    }

    /// - Parameter bytes: 16 bytes.
    package init(bytes: [UInt8]) throws(Problem) {
        guard bytes.count == Self.length else { throw .length(bytes.count, looksEscaped: false) }
        secret = SecretKey(bytes)
    }

    private static let entities = ["&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "&#"].map { [UInt8]($0.utf8) }
}

extension LocalKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String {
        String(decoding: secret.exposedBytes.prefix(2), as: UTF8.self) + "… (\(secret.count) bytes)"
    }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension LocalKey.Problem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .length(let count, looksEscaped: true):
            "a local key has 16 characters, this one has \(count) and holds HTML entities such as &amp; or &lt;: "
                + "it was probably copied out of a web page; write the characters that the entities stand for"
        case .length(let count, looksEscaped: false):
            "a local key has 16 characters, this one has \(count)"
        case .notOneByte(let offset):
            "a local key is plain ASCII; its character \(offset + 1) is not"
        }
    }
}
