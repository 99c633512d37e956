import EventLoop

/// The least of a broker: it answers CONNECT as the test says and swallows the rest.
@Loop
final class ScriptedBroker {
    /// What happens to a client that connects.
    enum Reply {
        /// These bytes, and the connection stays.
        case answer([UInt8])
        /// These bytes, then the end of the connection.
        case cutOff([UInt8])
        /// These bytes, then, when the client has subscribed or published, those, and the end.
        case answerThenCutOff([UInt8], [UInt8])
    }

    private var listener: TCPListener?
    private var connections: [TCPConnection] = []
    /// The protocol levels that clients came with.
    private(set) var levels: [UInt8] = []

    /// - Parameter reply: gets the protocol level of a CONNECT: 4 for 3.1.1, 5 for MQTT 5.
    init(_ reply: @escaping @Loop (_ level: UInt8) -> Reply) throws {
        listener = try TCPListener(bind: .loopback(port: 0)) { [unowned self] connection in
            connections.append(connection)
            var last: [UInt8]?
            connection.onBytes = { [unowned self, unowned connection] bytes in
                // A CONNECT: type, length, "MQTT" with its length, level (MQTT 3.1.1, 3.1).
                guard bytes.count > 8, bytes[0] == 0x10 else {
                    guard let last else { return }
                    connection.write(last)
                    return connection.close()
                }
                levels.append(bytes[8])
                switch reply(bytes[8]) {
                case .answer(let bytes): connection.write(bytes)
                case .cutOff(let bytes):
                    connection.write(bytes)
                    connection.close()
                case .answerThenCutOff(let bytes, let then):
                    connection.write(bytes)
                    last = then
                }
            }
        }
    }

    var port: UInt16 { listener?.address.port ?? 0 }
}
