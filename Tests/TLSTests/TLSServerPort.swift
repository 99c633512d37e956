import Crypto
import EventLoop
import TLS
import TestSupport

/// Accepts connections and answers on each as a TLS server; echoes every record with `echo ` before it.
@Loop
final class TLSServerPort {
    let fact = Fact()
    private(set) var established: [UInt16] = []
    private(set) var records: [[UInt8]] = []
    private(set) var offers: [[UInt16]] = []
    private(set) var ends: [TLSError?] = []
    private var listener: TCPListener?
    private var connections: [TLSConnection] = []

    init() throws {
        listener = try TCPListener(bind: .loopback(port: 0)) { [weak self] in self?.accept($0) }
    }

    var port: UInt16 { listener?.address.port ?? 0 }

    private func accept(_ tcp: TCPConnection) {
        guard
            let connection = try? TLSConnection(
                tcp,
                role: .server { $0 == EnginePair.identity ? EnginePair.key : nil }
            )
        else { return }
        connections.append(connection)
        connection.onEstablished = { [weak self, weak connection] in
            self?.established.append(connection?.suite ?? 0)
            self?.fact.changed()
        }
        connection.onRecord = { [weak self, weak connection] record in
            self?.records.append(record)
            try? connection?.send([UInt8]("echo ".utf8) + record)
            self?.fact.changed()
        }
        connection.onClose = { [weak self, weak connection] error in
            self?.offers.append(connection?.offeredSuites ?? [])
            self?.ends.append(error)
            self?.fact.changed()
        }
        connection.start(deadline: .seconds(30))
    }
}
