package import JSON

/// What a simulated server sends back, and how it misbehaves with it.
package struct HTTPAnswer: Sendable, Equatable {
    package enum Delivery: Sendable, Equatable {
        case whole
        /// In chunks of this many bytes, with `Transfer-Encoding: chunked`.
        case chunked(size: Int)
        /// This many bytes of the body, then the connection closes.
        case cut(after: Int)
        /// Nothing ever comes.
        case silence
        /// The connection closes instead.
        case close
        /// The body, and nothing around it.
        case bare
    }

    package var status: Int
    package var headers: [HTTPRequest.Field]
    package var body: [UInt8]
    package var delivery = Delivery.whole
    /// Before anything is sent.
    package var delay = Duration.zero

    package init(status: Int = 200, headers: [HTTPRequest.Field] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// A text of some type.
    package static func text(_ text: String, type: String = "text/plain", status: Int = 200) -> HTTPAnswer {
        HTTPAnswer(status: status, headers: [.init("Content-Type", type)], body: [UInt8](text.utf8))
    }

    package static func json(_ json: JSON, status: Int = 200) -> HTTPAnswer {
        text(json.text, type: "application/json", status: status)
    }

    /// The bytes on the wire.
    package var bytes: [UInt8] {
        switch delivery {
        case .silence, .close: return []
        case .bare: return body
        case .whole, .cut, .chunked: break
        }
        var head = "HTTP/1.1 \(status) Status\r\n"
        for field in headers { head += "\(field.name): \(field.value)\r\n" }
        guard case .chunked(let size) = delivery else {
            head += "Content-Length: \(body.count)\r\n\r\n"
            guard case .cut(let count) = delivery else { return [UInt8](head.utf8) + body }
            return [UInt8](head.utf8) + body.prefix(count)
        }
        var bytes = [UInt8]((head + "Transfer-Encoding: chunked\r\n\r\n").utf8)
        for start in stride(from: 0, to: body.count, by: max(1, size)) {
            let chunk = body[start..<min(body.count, start + max(1, size))]
            bytes += [UInt8]("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + [0x0D, 0x0A]
        }
        return bytes + [UInt8]("0\r\n\r\n".utf8)
    }
}
