import Simulators
import Testing

@Suite("requests to simulated servers")
struct HTTPRequestReaderTests {
    @Test("requests are read however they are cut")
    func pieces() throws {
        let text = "POST /a%20b?x=1%2F2&y= HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabcGET / HTTP/1.1\r\n\r\n"
        for size in [1, 2, 7, 1000] {
            var reader = HTTPRequestReader()
            var requests: [HTTPRequest] = []
            let bytes = [UInt8](text.utf8)
            for start in stride(from: 0, to: bytes.count, by: size) {
                reader.append([UInt8](bytes[start..<min(bytes.count, start + size)]))
                while let request = try reader.next() { requests.append(request) }
            }
            #expect(requests.map(\.method) == ["POST", "GET"])
            #expect(requests[0].path == "/a%20b")
            #expect(requests[0].query == [.init("x", "1/2"), .init("y", "")])
            #expect(requests[0].body == [UInt8]("abc".utf8))
            #expect(reader.bufferedBytes == 0)
        }
    }

    @Test(
        "what is no request, or too much of one, is refused",
        arguments: [
            ("nonsense\r\n\r\n", HTTPFault.badRequest), ("GET x HTTP/1.1\r\n\r\n", .badRequest),
            ("GET / HTTP/1.1\r\nno colon\r\n\r\n", .badRequest), ("GET /%zz?%zz HTTP/1.1\r\n\r\n", .badRequest),
            ("GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", .badRequest),
            ("GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", .badRequest),
            ("GET / HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n", .bodyTooLarge),
            ("GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", .notImplemented),
            ("GET /\(String(repeating: "a", count: 9000)) HTTP/1.1\r\n\r\n", .targetTooLong),
            ("GET / HTTP/1.1\r\nA: \(String(repeating: "a", count: 20_000))", .headersTooLarge),
            ("GET / HTTP/1.1\r\n\(String(repeating: "A: b\r\n", count: 70))\r\n", .headersTooLarge),
        ]
    )
    func refused(_ text: String, _ fault: HTTPFault) {
        var reader = HTTPRequestReader()
        reader.append([UInt8](text.utf8))
        #expect(throws: fault) { try reader.next() }
    }
}
