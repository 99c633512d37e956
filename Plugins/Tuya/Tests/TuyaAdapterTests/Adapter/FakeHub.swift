import EventLoop
import JSON
import TuyaProtocol

/// A hub with two sub-devices, as far as a test needs one.
@Loop
final class FakeHub {
    static let key = "0123456789abcdef"

    let version: ProtocolVersion
    private(set) var address = SocketAddress.loopback(port: 0)
    private var listener: TCPListener?
    private var connection: TCPConnection?
    private var decoder = StreamDecoder(returnCodes: .never)
    private var codec: SessionCodec?
    private let key: LocalKey
    private var sequence: UInt32 = 0
    /// Values of the sub-devices by cid.
    var children: [String: DataPoints] = ["aa01": [1: true], "bb02": [1: false]]
    var offline: [String] = []
    /// Requests by kind and child.
    private(set) var asked: [DeviceRequest] = []
    private(set) var connections = 0

    init(_ version: ProtocolVersion) throws {
        self.version = version
        key = try LocalKey(Self.key)
        let listener = try TCPListener(bind: .loopback(port: 0)) { [weak self] in self?.accept($0) }
        self.listener = listener
        address = listener.address
    }

    func stop() {
        listener?.close()
        connection?.close()
    }

    func drop() { connection?.close() }

    private func accept(_ connection: TCPConnection) {
        connections += 1
        self.connection = connection
        decoder = StreamDecoder(returnCodes: .never)
        codec = try? SessionCodec(version: version, key: key.secret)
        connection.onClose = { _ in }
        connection.onBytes = { [weak self] in self?.receive($0) }
    }

    private func receive(_ bytes: [UInt8]) {
        decoder.append(bytes)
        while let codec, let event = decoder.next(codec.protection) {
            guard case .frame(let frame) = event, let body = try? codec.plaintext(of: frame) else { continue }
            handle(DeviceRequest(command: frame.command, plaintext: body), frame.command)
        }
    }

    private func handle(_ request: DeviceRequest, _ command: Command) {
        asked.append(request)
        switch request {
        case .heartbeat: send(.heartbeat, "")
        case .query(nil): send(command, "")
        case .query(let child?):
            guard let points = children[child] else { return send(command, "devid not found") }
            send(command, "{\"cid\":\"\(child)\",\"dps\":\(points)}")
        case .set(let points, let child?):
            for (id, value) in points { children[child]?[id] = value }
            send(command, "")
            report(child, points)
        case .extended:
            let online = children.keys.filter { !offline.contains($0) }.sorted()
            send(
                .extended,
                "{\"reqType\":\"subdev_online_stat_report\",\"data\":{\"online\":\(list(online)),\"offline\":\(list(offline))}}"
            )
        default: break
        }
    }

    func report(_ child: String, _ points: DataPoints) { send(.report, "{\"cid\":\"\(child)\",\"dps\":\(points)}") }

    private func list(_ names: [String]) -> String { JSON.array(names.map { .string($0) }).text }

    private func send(_ command: Command, _ body: String) {
        sequence += 1
        guard let frame = try? codec?.answer(command, sequence: sequence, body: [UInt8](body.utf8)) else { return }
        connection?.write(frame)
    }
}
