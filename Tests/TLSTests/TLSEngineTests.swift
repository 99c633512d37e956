import Crypto
import TLS
import Testing

struct TLSEngineTests {
    static let words = [UInt8]("switch on".utf8)

    @Test("a client and a server agree on the first common suite")
    func handshake() throws {
        let pair = try EnginePair()
        #expect(pair.server.state == .handshaking)
        try pair.shakeHands()
        #expect(pair.client.isEstablished && pair.server.isEstablished)
        #expect(pair.server.suite == 0xC037 && pair.client.suite == 0xC037)
        #expect(pair.server.peerIdentity == EnginePair.identity)
        // 0x00FF signals that renegotiation is understood.
        #expect(pair.server.offeredSuites == [0xC037, 0x00FF])
    }

    @Test("the SHA-1 suite is taken where a client has no other, and the server's order counts", arguments: [1, 2])
    func suites(offers: Int) throws {
        let offer = [TLSSuite.ecdhePSKWithAES128CBCSHA, .ecdhePSKWithAES128CBCSHA256]
        let pair = try EnginePair(client: TLSOptions(suites: [TLSSuite](offer.prefix(offers))))
        try pair.shakeHands()
        #expect(pair.server.suite == (offers == 1 ? 0xC035 : 0xC037))
    }

    @Test("a handshake may arrive one byte at a time")
    func bytewise() throws {
        let pair = try EnginePair()
        try pair.shakeHands { $0.map { [$0] } }
        #expect(pair.client.isEstablished && pair.server.isEstablished)
    }

    @Test("a handshake may be cut at every place")
    func cut() throws {
        var longest = 0
        for place in 1..<200 {
            let pair = try EnginePair()
            try pair.shakeHands { bytes in
                longest = max(longest, bytes.count)
                return bytes.count > place ? [[UInt8](bytes[..<place]), [UInt8](bytes[place...])] : [bytes]
            }
            #expect(pair.client.isEstablished && pair.server.isEstablished)
        }
        #expect(longest < 200)
    }

    @Test("one send is one record, and each record comes out on its own")
    func records() throws {
        let pair = try EnginePair.established()
        let messages = [Self.words, [0], [UInt8](repeating: 7, count: 4096), [1, 2, 3]]
        for message in messages { try pair.client.send(message) }
        try pair.client.send([])
        let bytes = pair.client.takeOutput()
        #expect(Self.recordCount(bytes) == messages.count)
        #expect(try pair.server.receive(bytes) == messages)
    }

    @Test("a record that is cut anywhere comes out whole")
    func cutRecord() throws {
        let pair = try EnginePair.established()
        try pair.client.send(Self.words)
        let first = pair.client.takeOutput()
        let count = first.count
        #expect(try pair.server.receive(first) == [Self.words])
        for place in 0..<count {
            try pair.client.send(Self.words)
            let bytes = pair.client.takeOutput()
            #expect(bytes.count == count)
            #expect(try pair.server.receive([UInt8](bytes[..<place])).isEmpty)
            #expect(try pair.server.receive([UInt8](bytes[place...])) == [Self.words])
        }
    }

    @Test("the last bytes of the handshake and the first records may come in one piece")
    func coalesced() throws {
        let pair = try EnginePair()
        try pair.client.start()
        _ = try pair.server.receive(pair.client.takeOutput())
        _ = try pair.client.receive(pair.server.takeOutput())
        _ = try pair.server.receive(pair.client.takeOutput())
        #expect(pair.server.isEstablished && !pair.client.isEstablished)
        try pair.server.send([1])
        try pair.server.send([2, 3])
        #expect(try pair.client.receive(pair.server.takeOutput()) == [[1], [2, 3]])
        #expect(pair.client.isEstablished)
    }

    @Test("records keep to the size that the client asked for", arguments: TLSFragmentLength.allCases)
    func fragmentLength(length: TLSFragmentLength) throws {
        let pair = try EnginePair.established(client: TLSOptions(fragmentLength: length))
        #expect(pair.server.recordLimit == length.bytes && pair.client.recordLimit == length.bytes)
        let most = [UInt8](repeating: 1, count: length.bytes)
        try pair.server.send(most)
        #expect(throws: TLSError.tooLong(bytes: most.count + 1, limit: most.count)) { try pair.server.send(most + [1]) }
        let bytes = pair.server.takeOutput()
        #expect(Self.recordCount(bytes) == 1)
        #expect(try pair.client.receive(bytes) == [most])
    }

    @Test("without a wish a record holds 16384 bytes")
    func fullRecord() throws {
        let pair = try EnginePair.established(client: TLSOptions())
        let most = [UInt8](repeating: 1, count: 16_384)
        try pair.client.send(most)
        #expect(throws: TLSError.tooLong(bytes: 16_385, limit: 16_384)) { try pair.client.send(most + [1]) }
        #expect(try pair.server.receive(pair.client.takeOutput()) == [most])
    }

    @Test("a device's ClientHello, as it was captured, is accepted")
    func capturedHello() throws {
        let hello = try Hex.decode(
            "1603030056010000520303412fa2114af028313e7a6c0ab210f81d8edf93a0f89002edfaecb357c1703ff8000004c037"
                + "00ff01000025000d0006000404030401000a000400020017000b0002010000010001040016000000170000"
        )
        let pair = try EnginePair()
        for place in 0..<hello.count {
            let server = try EnginePair().server
            _ = try server.receive([UInt8](hello[..<place]))
            #expect(server.takeOutput().isEmpty)
            _ = try server.receive([UInt8](hello[place...]))
            #expect(server.takeOutput().starts(with: [0x16, 0x03, 0x03]))
        }
        _ = try pair.server.receive(hello)
        #expect(pair.server.offeredSuites == [0xC037, 0x00FF])
        let answer = pair.server.takeOutput()
        // ServerHello: the suite behind version, random and the empty session id.
        let sessionLength = Int(answer[43])
        #expect([UInt8](answer[(44 + sessionLength)...(45 + sessionLength)]) == [0xC0, 0x37])
        #expect(pair.server.recordLimit == 4096)
    }

    @Test("identities of 255 bytes and keys of 256 go through")
    func longCredentials() throws {
        let identity = String(repeating: "i", count: 255)
        let key = SecretKey([UInt8](repeating: 0xAB, count: 256))
        let client = try TLSEngine(.client(identity: identity, key: key))
        let server = try TLSEngine(.server { $0 == identity ? key : nil })
        try client.start()
        _ = try server.receive(client.takeOutput())
        _ = try client.receive(server.takeOutput())
        _ = try server.receive(client.takeOutput())
        #expect(server.isEstablished && server.peerIdentity == identity)
    }

    /// How many TLS records stand in a row.
    static func recordCount(_ bytes: [UInt8]) -> Int {
        var (count, offset) = (0, 0)
        while offset + 5 <= bytes.count {
            offset += 5 + Int(bytes[offset + 3]) << 8 + Int(bytes[offset + 4])
            count += 1
        }
        #expect(offset == bytes.count)
        return count
    }
}
