import Crypto
import TLS
import Testing

struct TLSFailureTests {
    @Test("a wrong key is told as such by the server, and the client gets an alert")
    func wrongKey() throws {
        let pair = try EnginePair(clientKey: SecretKey([UInt8]("654321".utf8)))
        #expect(throws: TLSError.keysDiffer) { try pair.shakeHands() }
        #expect(pair.server.state == .failed(.keysDiffer))
        #expect(throws: TLSError.keysDiffer) { try pair.server.receive([0]) }
        let error = #expect(throws: TLSError.self) { try pair.client.receive(pair.server.takeOutput()) }
        guard case .alert(number: 20, let words) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(words.contains("bad record mac"))
    }

    @Test("a stranger is named, and gets an alert")
    func stranger() throws {
        let pair = try EnginePair(identity: "someone else")
        #expect(throws: TLSError.unknownIdentity("someone else")) { try pair.shakeHands() }
        let error = #expect(throws: TLSError.self) { try pair.client.receive(pair.server.takeOutput()) }
        guard case .alert(number: 115, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("a client without a common suite is told of with what it offered")
    func noCommonSuite() throws {
        let pair = try EnginePair(
            client: TLSOptions(suites: [.ecdhePSKWithAES128CBCSHA]),
            server: TLSOptions(suites: [.ecdhePSKWithAES128CBCSHA256])
        )
        #expect(throws: TLSError.noCommonSuite(offered: [0xC035, 0x00FF])) { try pair.shakeHands() }
        // Handshake failure, fatal.
        #expect(pair.server.takeOutput() == [0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x28])
    }

    @Test("an identity that does not fit ends the client's handshake")
    func identityTooLong() throws {
        let pair = try EnginePair(identity: String(repeating: "i", count: 256))
        #expect(throws: TLSError.self) { try pair.shakeHands() }
        #expect(pair.client.state != .handshaking)
    }

    @Test(
        "bytes that are no TLS are refused in OpenSSL's words",
        arguments: [
            [UInt8]("GET / HTTP/1.1\r\nHost: example\r\n\r\n".utf8),
            [0x00, 0x00, 0x66, 0x99, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x14],
            [UInt8](repeating: 0xFF, count: 64),
            [UInt8](repeating: 0, count: 64),
        ]
    )
    func garbage(bytes: [UInt8]) throws {
        let server = try EnginePair().server
        let error = #expect(throws: TLSError.self) { try server.receive(bytes) }
        guard case .malformed(let words) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(!words.isEmpty)
        #expect(!server.isEstablished)
    }

    @Test("a server that is answered by a server fails")
    func twoServers() throws {
        let (one, other) = (try EnginePair(), try EnginePair())
        try one.client.start()
        _ = try one.server.receive(one.client.takeOutput())
        #expect(throws: TLSError.self) { try other.server.receive(one.server.takeOutput()) }
    }

    @Test("a changed byte anywhere in a record breaks the conversation")
    func tampered() throws {
        let sample = try EnginePair.established()
        try sample.client.send([1, 2, 3])
        for place in 5..<sample.client.takeOutput().count {
            let pair = try EnginePair.established()
            try pair.client.send([1, 2, 3])
            var bytes = pair.client.takeOutput()
            bytes[place] ^= 1
            #expect(throws: TLSError.self) { try pair.server.receive(bytes) }
            #expect(!pair.server.isEstablished)
            #expect(throws: TLSError.self) { try pair.server.send([1]) }
        }
    }

    @Test("records before a broken one are handed out, and the state tells of the break")
    func brokenBehindGood() throws {
        let pair = try EnginePair.established()
        try pair.client.send([1])
        var bytes = pair.client.takeOutput()
        try pair.client.send([2])
        var broken = pair.client.takeOutput()
        broken[broken.count - 1] ^= 1
        bytes += broken
        #expect(try pair.server.receive(bytes) == [[1]])
        guard case .failed(.malformed) = pair.server.state else {
            Issue.record("\(pair.server.state)")
            return
        }
        #expect(throws: TLSError.self) { try pair.server.receive([]) }
    }

    @Test("a peer's notice is a clean end, also behind a record")
    func notice() throws {
        let pair = try EnginePair.established()
        try pair.client.send([9])
        pair.client.close()
        #expect(throws: TLSError.closed) { try pair.client.send([1]) }
        #expect(try pair.server.receive(pair.client.takeOutput()) == [[9]])
        #expect(pair.server.state == .ended)
        #expect(throws: TLSError.closed) { try pair.server.send([1]) }
        try pair.server.receiveEnd()
        #expect(try pair.server.receive([1, 2, 3]).isEmpty)
    }

    @Test("an end without notice is told", arguments: [false, true])
    func truncated(established: Bool) throws {
        let pair = try established ? EnginePair.established() : EnginePair()
        #expect(throws: TLSError.truncated) { try pair.server.receiveEnd() }
        #expect(pair.server.state == .failed(.truncated))
    }

    @Test("nothing is sent before the handshake, and closing then is quiet")
    func early() throws {
        let pair = try EnginePair()
        #expect(throws: TLSError.notEstablished) { try pair.client.send([1]) }
        pair.client.close()
        #expect(pair.client.takeOutput().isEmpty)
        #expect(pair.client.state == .ended)
    }

    @Test("random bytes never do more than fail", arguments: 0..<50)
    func noise(seed: UInt64) throws {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
        func next() -> UInt8 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 40)
        }
        let pair = try EnginePair()
        try pair.client.start()
        var bytes = pair.client.takeOutput()
        for _ in 0...(seed % 4) { bytes[Int(next()) % bytes.count] = next() }
        bytes += (0..<64).map { _ in next() }
        _ = try? pair.server.receive(bytes)
        _ = pair.server.takeOutput()
        #expect(!pair.server.isEstablished)
    }
}
