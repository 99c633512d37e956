import EventLoop
import Glibc
import JSON
import PluginKit
import PluginWire

/// The gateway's end of a served plugin, in the same process.
@Loop
final class Peer {
    let adapter = StubAdapter()
    let stream: PipeConnection
    private let server: PluginServer
    private let life: Task<Void, Never>
    private let messages: AsyncStream<WireMessage>
    private var iterator: AsyncStream<WireMessage>.Iterator
    private var lastID: Int64 = 0

    struct Ended: Error {}

    init(stopDeadline: Duration = PluginServer.stopDeadline) throws {
        var pair: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0 else { throw Ended() }
        let stream = try PipeConnection(descriptor: pair[0])
        let far = try PipeConnection(descriptor: pair[1])
        let server = PluginServer(
            adapter: adapter,
            id: "stub",
            version: "1.2",
            input: far,
            output: far,
            stopDeadline: stopDeadline
        )
        let (messages, continuation) = AsyncStream.makeStream(of: WireMessage.self)
        var decoder = LineDecoder()
        stream.onBytes = { bytes in
            decoder.append(bytes)
            while let line = try? decoder.next() {
                if let message = try? WireMessage(line: line) { continuation.yield(message) }
            }
        }
        stream.onClose = { _ in continuation.finish() }
        self.stream = stream
        self.server = server
        self.messages = messages
        iterator = messages.makeAsyncIterator()
        life = Task { @Loop in await server.serve() }
    }

    static func devices(_ vendorIDs: String...) -> JSONObject {
        ["devices": .array(vendorIDs.map { ["id": .string($0), "vendorId": .string($0)] })]
    }

    static func initialize(_ vendorIDs: String...) -> JSONObject {
        var params: JSONObject = ["protocols": [1], "gateway": "1", "stateDir": "/nowhere"]
        params["devices"] = .array(vendorIDs.map { ["id": .string($0), "vendorId": .string($0)] })
        return params
    }

    @discardableResult
    func send(_ method: String, _ params: JSONObject = JSONObject()) -> WireID {
        lastID += 1
        stream.write(WireMessage.request(id: .number(lastID), method: method, params: params).line)
        return .number(lastID)
    }

    func ask(_ method: String, _ params: JSONObject = JSONObject()) async throws -> WireMessage {
        send(method, params)
        return try await next()
    }

    func next() async throws -> WireMessage {
        var iterator = self.iterator
        let message = await iterator.next(isolation: Loop.shared)
        self.iterator = iterator
        guard let message else { throw Ended() }
        return message
    }

    func ended() async { await life.value }
}
