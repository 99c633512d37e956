import Crypto
import TLS

/// A client and a server that exchange bytes in memory.
struct EnginePair {
    static let identity = "psk_identity"
    static let key = SecretKey([UInt8]("123456".utf8))

    let client: TLSEngine
    let server: TLSEngine

    init(
        identity: String = Self.identity,
        clientKey: SecretKey = Self.key,
        client: TLSOptions = TLSOptions(suites: [.ecdhePSKWithAES128CBCSHA256], fragmentLength: .bytes4096),
        server: TLSOptions = TLSOptions()
    ) throws {
        self.client = try TLSEngine(.client(identity: identity, key: clientKey), options: client)
        self.server = try TLSEngine(.server { $0 == Self.identity ? Self.key : nil }, options: server)
    }

    /// A pair whose handshake is over.
    static func established(
        client: TLSOptions = TLSOptions(suites: [.ecdhePSKWithAES128CBCSHA256], fragmentLength: .bytes4096)
    ) throws -> EnginePair {
        let pair = try EnginePair(client: client)
        try pair.shakeHands()
        return pair
    }

    /// Carries bytes back and forth, in the pieces that `cut` makes of them, until both are silent.
    func shakeHands(_ cut: ([UInt8]) -> [[UInt8]] = { [$0] }) throws {
        try client.start()
        try server.start()
        while true {
            let (forth, back) = (client.takeOutput(), server.takeOutput())
            if forth.isEmpty, back.isEmpty { return }
            for piece in cut(forth) { _ = try server.receive(piece) }
            for piece in cut(back) { _ = try client.receive(piece) }
        }
    }
}
