import JSON

/// Goes over a line of JSON, whole, cut or broken, and leaves the values of secret keys and known secrets out.
struct FrameScan {
    let bytes: [UInt8]
    let isCut: Bool
    let keys: SecretKeys
    let matcher: SecretMatcher
    private var place = 0
    private var out: [UInt8] = []
    /// In `secret/store` and its like, the value stands under a harmless key.
    private let hidesValue: Bool

    init(bytes: [UInt8], isCut: Bool, keys: SecretKeys, matcher: SecretMatcher) {
        self.bytes = bytes
        self.isCut = isCut
        self.keys = keys
        self.matcher = matcher
        hidesValue = Self.mentions("secret", in: bytes)
        out.reserveCapacity(bytes.count)
    }

    /// The line as it may be shown.
    mutating func run() -> [UInt8] {
        while place < bytes.count {
            guard bytes[place] == UInt8(ascii: "\"") else {
                out.append(bytes[place])
                place += 1
                continue
            }
            let start = place
            let text = string()
            guard place < bytes.count || !isCut else {
                // The beginning of a string, which may be that of a secret.
                let shown = matcher.redacted(text, isCut: true)
                out.append(contentsOf: JSON.string(decoded(shown)).serialized().dropLast())
                break
            }
            let isKey = skipColon()
            if isKey, isSecret(text) {
                out.append(contentsOf: bytes[start..<place])
                skipValue()
                out.append(contentsOf: Array("\"<redacted>\"".utf8))
            } else if matcher.isSecret(text) {
                // Compared as the text that is meant, in whatever way it is escaped.
                out.append(contentsOf: JSON.string(decoded(matcher.redacted(text))).serialized())
                if isKey { out.append(UInt8(ascii: ":")) }
            } else {
                out.append(contentsOf: bytes[start..<place])
            }
        }
        return out
    }

    private func isSecret(_ key: [UInt8]) -> Bool {
        let key = decoded(key)
        return keys.contains(key) || hidesValue && key == "value"
    }

    private func decoded(_ text: [UInt8]) -> String { String(decoding: text, as: UTF8.self) }

    /// Passes a string and gives its text with the escapes undone.
    private mutating func string() -> [UInt8] {
        let start = place
        place += 1
        var isEscaped = false
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
            if bytes[place] == UInt8(ascii: "\\") {
                isEscaped = true
                place += 1
            }
            place += 1
        }
        place = min(place, bytes.count)
        let inside = bytes[(start + 1)..<max(start + 1, place)]
        let isClosed = place < bytes.count
        if isClosed { place += 1 }
        guard isEscaped else { return Array(inside) }
        if let text = Self.unescaped(inside) { return Array(text.utf8) }
        // Where it was cut, an escape may be incomplete; the longest is a pair of surrogates.
        for dropped in 1..<12 {
            if let text = Self.unescaped(inside.dropLast(dropped)) { return Array(text.utf8) }
        }
        return Array(inside)
    }

    private static func unescaped(_ inside: ArraySlice<UInt8>) -> String? {
        let quote = [UInt8(ascii: "\"")]
        return try? JSON.parse(quote + inside + quote).stringValue
    }

    /// Whether a colon comes next, which makes the string before it a key; passes it and the space after it.
    private mutating func skipColon() -> Bool {
        var next = place
        while next < bytes.count, Self.isSpace(bytes[next]) { next += 1 }
        guard next < bytes.count, bytes[next] == UInt8(ascii: ":") else { return false }
        place = next + 1
        while place < bytes.count, Self.isSpace(bytes[place]) { place += 1 }
        return true
    }

    /// Passes a value of any kind, to the end where it is cut off.
    private mutating func skipValue() {
        var depth = 0
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "\""):
                _ = string()
                if depth == 0 { return }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return }
                depth -= 1
                if depth == 0 {
                    place += 1
                    return
                }
            case UInt8(ascii: ",") where depth == 0:
                return
            default: break
            }
            place += 1
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d
    }

    /// Whether a frame may be of a family of methods, such as `secret/store`, in whatever way the slash is written.
    static func mentions(_ family: String, in bytes: [UInt8]) -> Bool {
        contains(bytes, Array("\(family)/".utf8)) || contains(bytes, Array("\(family)\\/".utf8))
    }

    private static func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
        guard bytes.count >= part.count else { return false }
        return (0...(bytes.count - part.count)).contains { bytes[$0...].starts(with: part) }
    }
}
