/// What may be sent: nothing that libcurl or a server could read as something else.
enum RequestRules {
    static func check(_ request: HTTPClient.Request) throws(HTTPError) {
        try checkURL(request.url)
        guard !request.method.isEmpty, request.method.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
            throw .invalidRequest("the method is no word in upper case")
        }
        for header in request.headers { try check(header) }
        guard request.deadline > .zero else { throw .timedOut(after: request.deadline) }
    }

    /// A header as libcurl wants it.
    ///
    /// It takes `Name:` as the wish to leave one of its own out, so that an empty value is written with a semicolon.
    static func line(_ header: HTTPClient.Header) -> String {
        header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)"
    }

    private static func checkURL(_ url: String) throws(HTTPError) {
        guard url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .invalidRequest("the URL has blanks, control characters or others that must be percent-encoded")
        }
        guard let scheme = ["http://", "https://"].first(where: { url.hasPrefix($0) }) else {
            throw .invalidRequest("the URL begins with neither http:// nor https://")
        }
        let authority = url.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard !authority.isEmpty, !authority.contains("@"), !authority.contains("\\") else {
            throw .invalidRequest("the URL names no host, or more than a host")
        }
    }

    private static func check(_ header: HTTPClient.Header) throws(HTTPError) {
        guard !header.name.isEmpty, header.name.utf8.allSatisfy(isNameByte) else {
            throw .invalidRequest("a header's name is no token")
        }
        guard header.value.utf8.allSatisfy({ $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }) else {
            // Its value may be a secret.
            throw .invalidRequest("the header \(header.name) has control characters")
        }
    }

    /// The characters of a token (RFC 9110, section 5.6.2).
    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: [UInt8]("!#$%&'*+-.^_`|~".utf8).contains(byte)
        }
    }
}
