import EventLoop
import TLS
import TestSupport
import Testing

/// Our server against TLS clients of other makes: the part that a device plays.
@Suite("Clients of other makes", .timeLimit(.minutes(2)))
struct OtherClientTests {
    /// The key `123456` as OpenSSL's programs want it.
    static let keyHex = "313233343536"

    @Test(
        "OpenSSL's client talks to our server",
        arguments: [("ECDHE-PSK-AES128-CBC-SHA256", 0xC037), ("ECDHE-PSK-AES128-CBC-SHA", 0xC035)]
    )
    @Loop func openSSL(name: String, suite: Int) async throws {
        let server = try TLSServerPort()
        let client = try ClientProgram.openSSL(port: server.port, key: Self.keyHex, suite: name)
        defer { client.stop() }
        await server.fact.until { !server.established.isEmpty }
        #expect(server.established == [UInt16(suite)])
        client.write("hello\n")
        await client.fact.until { client.output.contains("echo hello") }
        #expect(server.records == [[UInt8]("hello\n".utf8)])
        client.endInput()
        await server.fact.until { !server.ends.isEmpty }
        #expect(server.ends == [nil])
    }

    @Test("OpenSSL's client with a wrong key, identity or suite is told why", arguments: 0..<3)
    @Loop func openSSLFails(kind: Int) async throws {
        let server = try TLSServerPort()
        let client = try ClientProgram.openSSL(
            port: server.port,
            identity: kind == 1 ? "another" : EnginePair.identity,
            key: kind == 0 ? "00ff" : Self.keyHex,
            suite: kind == 2 ? "PSK-AES128-CBC-SHA256" : "ECDHE-PSK-AES128-CBC-SHA256"
        )
        defer { client.stop() }
        await server.fact.until { !server.ends.isEmpty }
        #expect(server.established.isEmpty)
        switch kind {
        case 0: #expect(server.ends == [.keysDiffer])
        case 1: #expect(server.ends == [.unknownIdentity("another")])
        default: #expect(server.ends == [.noCommonSuite(offered: [0x00AE, 0x00FF])])
        }
        #expect(server.offers.first?.isEmpty == false)
        let words = ["bad record mac", "unknown psk identity", "handshake failure"][kind]
        await client.fact.until { client.hasExited }
        #expect(client.output.contains(words))
    }

    @Test(
        "mbedTLS's client talks to our server",
        .enabled("python-mbedtls is not installed; LINTEL_PYTHON names another interpreter") {
            await ClientProgram.findsMbedTLS()
        },
        arguments: [
            ("TLS-ECDHE-PSK-WITH-AES-128-CBC-SHA256", 0xC037), ("TLS-ECDHE-PSK-WITH-AES-128-CBC-SHA", 0xC035),
        ]
    )
    @Loop func mbedTLS(name: String, suite: Int) async throws {
        let server = try TLSServerPort()
        let long = String(repeating: "x", count: 4_000)
        let client = try ClientProgram.mbedTLS(port: server.port, key: "123456", suite: name, messages: ["one", long])
        await client.fact.until { client.hasExited }
        try #require(!client.output.contains("failed") && !client.output.contains("Traceback"))
        #expect(server.established == [UInt16(suite)])
        #expect(server.records == [[UInt8]("one".utf8), [UInt8](long.utf8)])
        #expect(client.output.contains("got echo one\n") && client.output.contains("got echo \(long)\n"))
        await server.fact.until { !server.ends.isEmpty }
        // mbedTLS sends the signalling value behind the suites.
        #expect(server.offers == [[UInt16(suite), 0x00FF]])
    }

    @Test(
        "mbedTLS's client with a wrong key is told so",
        .enabled("python-mbedtls is not installed; LINTEL_PYTHON names another interpreter") {
            await ClientProgram.findsMbedTLS()
        }
    )
    @Loop func mbedTLSFails() async throws {
        let server = try TLSServerPort()
        let name = "TLS-ECDHE-PSK-WITH-AES-128-CBC-SHA256"
        let client = try ClientProgram.mbedTLS(port: server.port, key: "wrong", suite: name, messages: ["one"])
        await client.fact.until { client.hasExited }
        try #require(client.output.contains("failed"))
        await server.fact.until { !server.ends.isEmpty }
        #expect(server.ends == [.keysDiffer])
    }
}
