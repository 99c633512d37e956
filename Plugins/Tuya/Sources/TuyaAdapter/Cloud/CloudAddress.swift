/// Where a cloud is: the beginning of its URLs.
package struct CloudAddress: Equatable, Sendable, CustomStringConvertible {
    /// Whether a connection without TLS is taken; to this machine it always is.
    package enum Plaintext: Sendable {
        case loopbackOnly
        case anywhere
    }

    /// What is wrong with the text of an address.
    package enum Problem: Error, Equatable, Sendable, CustomStringConvertible {
        case notAnOrigin
        case plaintext

        package var description: String {
            switch self {
            case .notAnOrigin: "must be https:// and a host, with a port where needed, and nothing behind"
            case .plaintext: "must begin with https://: over http:// everybody on the way could read keys"
            }
        }
    }

    /// Without a slash at the end.
    package let url: String

    /// A data centre of the vendor.
    package init(_ region: CloudRegion) { url = "https://" + region.host }

    /// The operator's own, or a simulated one.
    package init(_ text: String, plaintext: Plaintext = .loopbackOnly) throws(Problem) {
        guard let scheme = ["https://", "http://"].first(where: { text.hasPrefix($0) }) else { throw .notAnOrigin }
        var authority = text.dropFirst(scheme.count)
        if authority.hasSuffix("/") { authority = authority.dropLast() }
        let isPlain = authority.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: [UInt8](".-:[]".utf8).contains(byte)
            }
        }
        guard !authority.isEmpty, isPlain else { throw .notAnOrigin }
        if scheme == "http://", plaintext == .loopbackOnly, !Self.isLoopback(authority) { throw .plaintext }
        url = scheme + authority
    }

    package var description: String { url }

    private static func isLoopback(_ authority: Substring) -> Bool {
        if authority == "[::1]" || authority.hasPrefix("[::1]:") { return true }
        let host = authority.split(separator: ":", omittingEmptySubsequences: false).first ?? ""
        if host == "localhost" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
