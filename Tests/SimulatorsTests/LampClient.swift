import Crypto
import EventLoop
import JSON
import Simulators
import TuyaProtocol

/// A plain client of the LAN protocol for tests: sends what it is told and hands out what comes.
@Loop
final class LampClient {
    /// The connection has ended.
    struct Ended: Error {}

    let version: ProtocolVersion
    let id: String
    private let key: LocalKey
    private let connection: TCPConnection
    private var decoder = StreamDecoder(returnCodes: .whereSmall)
    private var codec: SessionCodec
    private var sequence: UInt32 = 0
    private var inbox: [StreamEvent] = []
    private var hasEnded = false
    private var waiter: CheckedContinuation<Void, Never>?
    /// The sizes of the pieces in which bytes arrived.
    private(set) var segments: [Int] = []

    /// Connects and, where the version asks for it, agrees on a session key.
    static func connect(
        to lamp: TuyaLamp,
        key: String? = nil,
        version: ProtocolVersion? = nil,
        negotiating: Bool = true
    ) async throws -> LampClient {
        let connection = try await TCPConnection.connect(to: lamp.identity.address, deadline: .seconds(5))
        let client = try LampClient(
            connection,
            version ?? lamp.identity.version,
            key ?? lamp.identity.localKey,
            lamp.identity.id
        )
        if negotiating, client.version.negotiates { try await client.negotiate() }
        return client
    }

    private init(_ connection: TCPConnection, _ version: ProtocolVersion, _ key: String, _ id: String) throws {
        self.connection = connection
        self.version = version
        self.key = try LocalKey(key)
        self.id = id
        codec = try SessionCodec(version: version, key: self.key.secret)
        connection.onClose = { [weak self] _ in self?.end() }
        connection.onBytes = { [weak self] bytes in self?.receive(bytes) }
    }

    private func end() {
        hasEnded = true
        resume()
    }

    private func resume() {
        waiter?.resume()
        waiter = nil
    }

    private func receive(_ bytes: [UInt8]) {
        segments.append(bytes.count)
        decoder.append(bytes)
        while let event = decoder.next(codec.protection) { inbox.append(event) }
        if !inbox.isEmpty { resume() }
    }

    private func negotiate() async throws {
        let negotiation = try Negotiation(version: version, localKey: key, nonce: SecureRandom.bytes(16))
        write(try negotiation.start(sequence: nextSequence()))
        while true {
            guard case .agreed(let agreement) = try negotiation.receive(try await nextFrame()) else { continue }
            write(try negotiation.finish(agreement, sequence: nextSequence()))
            codec = try SessionCodec(version: version, key: agreement.key)
            return
        }
    }

    private func nextSequence() -> UInt32 {
        sequence += 1
        return sequence
    }

    /// Writes bytes as they are.
    func write(_ bytes: [UInt8]) {
        connection.write(bytes)
    }

    func close() {
        connection.close()
    }

    /// Makes a frame; its number is the next unless given.
    func frame(_ command: Command, _ json: JSON, sequence: UInt32? = nil) throws -> [UInt8] {
        try codec.request(command, sequence: sequence ?? nextSequence(), body: json.serialized())
    }

    /// The next event of the stream.
    func next() async throws -> StreamEvent {
        while inbox.isEmpty {
            guard !hasEnded else { throw Ended() }
            await withCheckedContinuation { waiter = $0 }
        }
        return inbox.removeFirst()
    }

    /// The next good frame.
    func nextFrame() async throws -> Frame {
        while true {
            if case .frame(let frame) = try await next() { return frame }
        }
    }

    /// The next good frame's body, as text.
    func nextText() async throws -> String {
        String(decoding: try codec.plaintext(of: try await nextFrame()), as: UTF8.self)
    }

    /// The data points of the next frame with this command; other frames are passed over.
    func nextPoints(_ command: Command) async throws -> DataPointValues {
        while true {
            let frame = try await nextFrame()
            guard frame.command == command else { continue }
            let json = try JSON.parse(try codec.plaintext(of: frame))
            let points = (json["dps"] ?? json["data"]?["dps"])?.objectValue
            return DataPointValues(points ?? [:])
        }
    }

    /// Waits until the device has closed the connection.
    func untilEnded() async {
        while !hasEnded {
            inbox = []
            await withCheckedContinuation { waiter = $0 }
        }
    }

    // MARK: Requests

    var queryCommand: Command { version.negotiates ? .queryNew : .query }
    var controlCommand: Command { version.negotiates ? .controlNew : .control }

    /// Asks for the state in the usual way.
    func query() async throws -> DataPointValues {
        write(try frame(queryCommand, version.negotiates ? [:] : ["gwId": .string(id), "devId": .string(id)]))
        return try await nextPoints(queryCommand)
    }

    /// Sets data points; what comes back is left to the caller.
    func set(_ points: JSON) throws {
        let json: JSON =
            version.negotiates
            ? ["protocol": 5, "t": 1, "data": ["dps": points]]
            : ["devId": .string(id), "uid": .string(id), "t": "1", "dps": points]
        write(try frame(controlCommand, json))
    }
}
