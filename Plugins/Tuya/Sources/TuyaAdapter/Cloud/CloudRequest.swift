import JSON
import TuyaProtocol

/// A request to the cloud before it is signed.
struct CloudRequest: Equatable, Sendable {
    var method: String
    /// Made of words that need no percent-encoding.
    var path: String
    /// Not percent-encoded.
    var query: [(key: String, value: String)] = []
    var body: JSON?

    static func == (left: CloudRequest, right: CloudRequest) -> Bool {
        left.method == right.method && left.path == right.path && left.body == right.body
            && left.query.elementsEqual(right.query) { $0 == $1 }
    }

    /// What is signed; its body is what must be sent.
    var signed: CloudSigner.Request {
        CloudSigner.Request(method: method, path: path, query: query, body: body?.serialized() ?? [])
    }

    /// Path and query as they travel: in the order that is signed, percent-encoded.
    var target: String {
        guard !query.isEmpty else { return path }
        let sorted = query.sorted { [UInt8]($0.key.utf8).lexicographicallyPrecedes([UInt8]($1.key.utf8)) }
        return path + "?" + sorted.map { "\(Self.encoded($0.key))=\(Self.encoded($0.value))" }.joined(separator: "&")
    }

    /// Whether a byte stands for itself in a URL (RFC 3986, section 2.3).
    static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    private static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            if isUnreserved(byte) { return String(UnicodeScalar(byte)) }
            let digits = String(byte, radix: 16, uppercase: true)
            return digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
        }.joined()
    }
}
