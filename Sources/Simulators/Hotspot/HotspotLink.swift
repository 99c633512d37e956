import EventLoop
import TLS
internal import TuyaProtocol

/// A hub's connection to a device in its hotspot.
@Loop
final class HotspotLink {
    /// The device waits this long for a handshake: the vendor's code passes "10 000 s".
    private static let handshakeDeadline = Duration.seconds(10_000)

    let address: SocketAddress
    private(set) var isEstablished = false
    var onEstablished: (@Loop () -> Void)?
    var onBytes: (@Loop ([UInt8]) -> Void)?
    /// Called once, with words for a log.
    var onClose: (@Loop (String) -> Void)?
    private let tcp: TCPConnection
    private var tls: TLSConnection?

    init(_ tcp: TCPConnection) {
        self.tcp = tcp
        address = tcp.remoteAddress
    }

    /// Serves the connection in the clear.
    func beginClear() {
        isEstablished = true
        tcp.onClose = { [weak self] error in self?.ended(error.map { "\($0)" } ?? "by the hub") }
        tcp.onBytes = { [weak self] bytes in self?.onBytes?(bytes) }
    }

    /// Does nothing but notice the end.
    func beginNothing() {
        tcp.onClose = { [weak self] error in self?.ended(error.map { "\($0)" } ?? "by the hub") }
        tcp.onBytes = { _ in }
    }

    /// Begins a handshake as TLS client.
    func beginTLS(_ key: HotspotKey, _ fragmentLength: TLSFragmentLength) {
        let options = TLSOptions(suites: [.ecdhePSKWithAES128CBCSHA256], fragmentLength: fragmentLength)
        guard
            let tls = try? TLSConnection(
                tcp,
                role: .client(identity: key.identity, key: key.key),
                options: options
            )
        else { return ended("no TLS") }
        self.tls = tls
        tls.onEstablished = { [weak self] in
            self?.isEstablished = true
            self?.onEstablished?()
        }
        tls.onRecord = { [weak self] record in self?.onBytes?(record) }
        tls.onClose = { [weak self] error in self?.ended(error.map { "\($0)" } ?? "by the hub") }
        tls.start(deadline: Self.handshakeDeadline)
    }

    func send(_ bytes: [UInt8]) {
        if let tls { try? tls.send(bytes) } else { tcp.write(bytes) }
    }

    func close() {
        onClose = nil
        if let tls { tls.close() } else { tcp.close() }
    }

    /// Goes deaf and dumb without ending the connection, as a device does whose hotspot is switched off.
    func abandon() {
        onBytes = nil
        onEstablished = nil
        onClose = nil
    }

    private func ended(_ reason: String) {
        let report = onClose
        onClose = nil
        report?(reason)
    }
}
