import EventLoop
import TLS
import TestSupport
import TuyaProtocol

/// What a hub does in a device's hotspot, step by step, for tests: dials, is the TLS server, asks.
@Loop
final class HotspotHub {
    struct Ended: Error {
        let reason: TLSError?
    }

    let connection: TLSConnection
    private let codec: HotspotCodec
    private let fact = Fact()
    private var inbox: [[UInt8]] = []
    private var end: TLSError??
    private var sequence: UInt32 = 0

    /// Connects, and waits for the end of the handshake.
    static func connect(to address: SocketAddress, key: HotspotKey = .fixed) async throws -> HotspotHub {
        let hub = try await begin(to: address, key: key)
        try await hub.untilEstablished()
        return hub
    }

    func untilEstablished() async throws {
        await fact.until { self.connection.isEstablished || self.end != nil }
        if let end { throw Ended(reason: end) }
    }

    /// Connects, and does not wait.
    static func begin(to address: SocketAddress, key: HotspotKey = .fixed) async throws -> HotspotHub {
        try HotspotHub(try await TCPConnection.connect(to: address, deadline: .seconds(10)), key)
    }

    private init(_ tcp: TCPConnection, _ key: HotspotKey) throws {
        codec = try HotspotCodec()
        connection = try TLSConnection(tcp, role: .server { $0 == key.identity ? key.key : nil })
        connection.onEstablished = { [weak self] in self?.fact.changed() }
        connection.onRecord = { [weak self] record in
            self?.inbox.append(record)
            self?.fact.changed()
        }
        connection.onClose = { [weak self] error in
            self?.end = .some(error)
            self?.fact.changed()
        }
        connection.start(deadline: .seconds(30))
    }

    /// Sends a request, and waits for the next answer.
    func ask(_ command: TuyaProtocol.Command, _ body: [UInt8]) async throws -> Frame {
        try send(command, body)
        return try await next()
    }

    func send(_ command: TuyaProtocol.Command, _ body: [UInt8]) throws {
        sequence += 1
        try connection.send(try codec.request(command, sequence: sequence, body: body))
    }

    func next() async throws -> Frame {
        await fact.until { !self.inbox.isEmpty || self.end != nil }
        guard !inbox.isEmpty else { throw Ended(reason: end ?? nil) }
        guard let frame = try codec.readAnswer(inbox.removeFirst()) else { throw Ended(reason: nil) }
        return frame
    }

    func untilEnded() async -> TLSError? {
        await fact.until { self.end != nil }
        return end ?? nil
    }

    var hasEnded: Bool { end != nil }
}
