import EventLoop
import TuyaProtocol

/// The connection to old firmware in its hotspot: clear frames, in both directions.
@Loop
final class OldChannel {
    private let encoder: DiscoveryEncoder
    private var attempt: ConnectAttempt?
    private var connection: TCPConnection?
    private var decoder = StreamDecoder(returnCodes: .whereSmall, maximumLength: 4096)
    private let told: @Loop (PairingEvent) -> Void

    /// Begins to connect.
    init(
        to address: SocketAddress,
        interface: String,
        deadline: Duration,
        told: @escaping @Loop (PairingEvent) -> Void
    ) throws(TuyaProtocolError) {
        encoder = try DiscoveryEncoder()
        self.told = told
        let options = TCPOptions(interface: interface)
        attempt = TCPConnection.connect(to: address, options: options, deadline: deadline) { [weak self] result in
            self?.attempted(result)
        }
    }

    func send(_ command: Command, _ body: [UInt8]) {
        guard let frame = try? encoder.datagram(.clear, command, returnCode: nil, body: body) else { return }
        connection?.write(frame)
    }

    func close() {
        attempt?.cancel()
        attempt = nil
        connection?.onClose = nil
        connection?.close()
        connection = nil
    }

    private func attempted(_ result: Result<TCPConnection, LoopError>) {
        attempt = nil
        switch result {
        case .failure: told(.oldChannelDown)
        case .success(let connection):
            self.connection = connection
            connection.onClose = { [weak self] _ in
                self?.connection = nil
                self?.told(.oldChannelDown)
            }
            connection.onBytes = { [weak self] bytes in self?.receive(bytes) }
            told(.oldChannelUp)
        }
    }

    private func receive(_ bytes: [UInt8]) {
        decoder.append(bytes)
        while let event = decoder.next(FrameProtection(classic: .crc, sealed: nil)) {
            guard case .frame(let frame) = event else { return close() }
            told(.oldAnswer(frame.command, returnCode: frame.returnCode ?? 0))
        }
    }
}
