import Crypto
import EventLoop
import TLS
import TestSupport

/// A TLS server that has dialled, and the TLS client that accepted its connection.
@Loop
final class ConnectionPair {
    /// The accepting side.
    @Loop
    final class Answerer {
        fileprivate(set) var connection: TLSConnection
        fileprivate(set) var records: [[UInt8]] = []
        private let tcp: TCPConnection

        fileprivate init(_ tcp: TCPConnection, key: SecretKey) throws {
            self.tcp = tcp
            connection = try TLSConnection(
                tcp,
                role: .client(identity: EnginePair.identity, key: key),
                options: TLSOptions(suites: [.ecdhePSKWithAES128CBCSHA256], fragmentLength: .bytes4096)
            )
        }

        /// Ends the connection underneath.
        func vanish() {
            tcp.onClose = nil
            tcp.close()
        }
    }

    let fact = Fact()
    let dialler: TLSConnection
    let answerer: Answerer
    private(set) var established = 0
    /// What the dialling side received.
    private(set) var dialled: [[UInt8]] = []
    /// How the two sides ended, in the order in which they did.
    private(set) var ends: [TLSError?] = []

    init(clientKey: SecretKey = EnginePair.key) async throws {
        let accepted = Fact()
        var peer: TCPConnection?
        let listener = try TCPListener(bind: .loopback(port: 0)) {
            peer = $0
            accepted.changed()
        }
        let tcp = try await TCPConnection.connect(to: listener.address, deadline: .seconds(10))
        await accepted.until { peer != nil }
        guard let peer else { throw LoopError.closed }
        dialler = try TLSConnection(tcp, role: .server { $0 == EnginePair.identity ? EnginePair.key : nil })
        answerer = try Answerer(peer, key: clientKey)
        for connection in [dialler, answerer.connection] {
            connection.onEstablished = { [weak self] in
                self?.established += 1
                self?.fact.changed()
            }
            connection.onClose = { [weak self] error in
                self?.ends.append(error)
                self?.fact.changed()
            }
        }
        dialler.onRecord = { [weak self] record in
            self?.dialled.append(record)
            self?.fact.changed()
        }
        answerer.connection.onRecord = { [weak self] record in
            self?.answerer.records.append(record)
            self?.fact.changed()
        }
        dialler.start(deadline: .seconds(20))
        answerer.connection.start(deadline: .seconds(20))
    }

    func close() {
        dialler.close()
        answerer.connection.close()
    }
}
