/// Takes requests of HTTP/1.1 out of a stream of bytes, within strict limits.
///
/// Bodies come with `Content-Length` only. After an error it reads nothing more.
package struct HTTPRequestReader: Sendable {
    private static let lineLimit = 8 * 1024
    private static let headLimit = 16 * 1024
    private static let headerLimit = 64
    private static let bodyLimit = 256 * 1024

    private var buffer: [UInt8] = []
    private var pending: (request: HTTPRequest, length: Int)?

    package init() {}

    /// Bytes that no request has taken yet.
    package var bufferedBytes: Int { buffer.count }

    package mutating func append(_ bytes: [UInt8]) { buffer += bytes }

    /// The next whole request, or nil until more has come.
    package mutating func next() throws(HTTPFault) -> HTTPRequest? {
        if pending == nil { pending = try readHead() }
        guard let (head, length) = pending, buffer.count >= length else { return nil }
        pending = nil
        var request = head
        request.body = [UInt8](buffer[..<length])
        buffer.removeFirst(length)
        return request
    }

    private mutating func readHead() throws(HTTPFault) -> (HTTPRequest, Int)? {
        guard let end = Self.headEnd(buffer) else {
            if buffer.count > Self.headLimit { throw .headersTooLarge }
            return nil
        }
        guard end <= Self.headLimit else { throw .headersTooLarge }
        let head = buffer[..<end]
        guard head.allSatisfy({ $0 >= 0x20 || $0 == 0x0D || $0 == 0x0A || $0 == 0x09 }) else { throw .badRequest }
        let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: true)
        buffer.removeFirst(end + 4)
        guard let first = lines.first else { throw .badRequest }
        var request = try Self.requestLine(first)
        guard lines.count - 1 <= Self.headerLimit else { throw .headersTooLarge }
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else { throw .badRequest }
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            request.headers.append(HTTPRequest.Field(String(line[..<colon]), String(value)))
        }
        return (request, try Self.bodyLength(request))
    }

    private static func bodyLength(_ request: HTTPRequest) throws(HTTPFault) -> Int {
        guard request.header("transfer-encoding") == nil else { throw .notImplemented }
        let lengths = request.headers.filter { $0.name.lowercased() == "content-length" }
        guard let text = lengths.first?.value else { return 0 }
        guard lengths.count == 1, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let length = Int(text) else {
            throw .badRequest
        }
        guard length <= bodyLimit else { throw .bodyTooLarge }
        return length
    }

    private static func requestLine(_ line: Substring) throws(HTTPFault) -> HTTPRequest {
        guard line.utf8.count <= lineLimit else { throw .targetTooLong }
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[2].hasPrefix("HTTP/1."), words[1].hasPrefix("/"),
            words[0].utf8.allSatisfy({ (0x41...0x5A).contains($0) }), !words[0].isEmpty
        else {
            throw .badRequest
        }
        let parts = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var request = HTTPRequest(method: String(words[0]), path: String(parts[0]))
        guard parts.count == 2 else { return request }
        for pair in parts[1].split(separator: "&") {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = decoded(sides[0]), let value = decoded(sides.count == 2 ? sides[1] : "") else {
                throw .badRequest
            }
            request.query.append(HTTPRequest.Field(name, value))
        }
        return request
    }

    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let code = UInt8(String(Substring(rest.prefix(2))), radix: 16), rest.count >= 2 else { return nil }
            rest = rest.dropFirst(2)
            bytes.append(code)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func headEnd(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        for index in 0...(bytes.count - 4) where bytes[index] == 0x0D {
            if bytes[index + 1] == 0x0A && bytes[index + 2] == 0x0D && bytes[index + 3] == 0x0A { return index }
        }
        return nil
    }
}
