internal import Log

/// An address of a broker: `mqtt://host`, `mqtts://user:password@[::1]:8883`, `embedded`, `embedded:1884`.
struct BrokerURL: Equatable {
    var broker: MQTTSettings.Broker
    var isEncrypted = false
    var username: String?
    var password: Redacted<String>?

    /// Why a text is no address; never holds the text, which may have a password in it.
    struct Fault: Error, Equatable {
        let message: String
    }

    static func parse(_ text: String) -> Result<BrokerURL, Fault> {
        if text == "embedded" { return .success(BrokerURL(broker: .embedded(port: 1883))) }
        if text.hasPrefix("embedded:") {
            guard let port = port(text.dropFirst("embedded:".count)) else { return portFault }
            return .success(BrokerURL(broker: .embedded(port: port)))
        }
        guard let colon = text.firstRange(of: "://") else { return schemeFault("") }
        let scheme = text[..<colon.lowerBound].lowercased()
        switch scheme {
        case "mqtt", "mqtts": return parse(text[colon.upperBound...], isEncrypted: scheme == "mqtts")
        case "tcp": return schemeFault(", not tcp://")
        case "ssl", "tls": return schemeFault("; mqtts:// is the one with TLS")
        case "ws", "wss": return schemeFault("; WebSockets are not supported")
        default: return schemeFault("")
        }
    }

    private static func parse(_ rest: Substring, isEncrypted: Bool) -> Result<BrokerURL, Fault> {
        var url = BrokerURL(broker: .remote(host: "", port: 0), isEncrypted: isEncrypted)
        var authority = rest
        if authority.hasSuffix("/") { authority.removeLast() }
        // The last @ ends the credentials: a password may hold others.
        if let at = authority.lastIndex(of: "@") {
            let parts = authority[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard let user = parts.first.flatMap(unescaped), !user.isEmpty else {
                return .failure(Fault(message: "has no user name before the @"))
            }
            url.username = user
            if parts.count == 2 {
                guard let password = unescaped(parts[1]) else {
                    return .failure(Fault(message: "has a % in its password that does not begin an escape such as %25"))
                }
                url.password = Redacted(password)
            }
            authority = authority[authority.index(after: at)...]
        }
        if authority.contains("/") || authority.contains("?") {
            return .failure(Fault(message: "must end after the port; the topic is set by base_topic"))
        }
        switch hostAndPort(authority) {
        case .failure(let fault): return .failure(fault)
        case .success(let (host, port)):
            url.broker = .remote(host: host, port: port ?? (isEncrypted ? 8883 : 1883))
            return .success(url)
        }
    }

    private static func hostAndPort(_ authority: Substring) -> Result<(String, UInt16?), Fault> {
        var host = authority
        var rest: Substring = ""
        if authority.first == "[" {
            guard let end = authority.firstIndex(of: "]") else {
                return .failure(Fault(message: "lacks a ] after the address"))
            }
            host = authority[authority.index(after: authority.startIndex)..<end]
            rest = authority[authority.index(after: end)...]
            guard host.contains(":") else {
                return .failure(Fault(message: "has brackets around what is no IPv6 address"))
            }
        } else if let colon = authority.firstIndex(of: ":") {
            host = authority[..<colon]
            rest = authority[colon...]
            if rest.dropFirst().contains(":") {
                return .failure(Fault(message: "must have brackets around an IPv6 address: mqtt://[::1]:1883"))
            }
        }
        let isName = host.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f }
        guard !host.isEmpty, host.utf8.count <= 253, isName else {
            return .failure(Fault(message: "has no host that can be used"))
        }
        if rest.isEmpty { return .success((String(host), nil)) }
        guard rest.first == ":", let port = port(rest.dropFirst()) else { return portFault.map { _ in ("", nil) } }
        return .success((String(host), port))
    }

    private static func port(_ text: Substring) -> UInt16? {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return UInt16(text).flatMap { $0 == 0 ? nil : $0 }
    }

    /// The text with `%40` and the like as the characters that they stand for.
    private static func unescaped(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            guard digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit), let value = UInt8(digits, radix: 16) else {
                return nil
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static let portFault: Result<BrokerURL, Fault> = .failure(
        Fault(message: "has no port within 1 and 65535 after the :")
    )

    private static func schemeFault(_ more: String) -> Result<BrokerURL, Fault> {
        .failure(Fault(message: "must begin with mqtt:// or mqtts://, or be embedded\(more)"))
    }
}
