import Crypto
import EventLoop
import TLS
import TuyaProtocol

/// The channel of the new process: we dial, and the device then begins the handshake as its client; one frame in one record.
///
/// A connection on which we stayed silent would block the device for everyone, so that every end closes it.
@Loop
final class HotspotChannel {
    private let codec: HotspotCodec
    private let pincode: String?
    private var attempt: ConnectAttempt?
    private var connection: TLSConnection?
    private var sequence: UInt32 = 0
    private var isUp = false
    private let told: @Loop (PairingEvent) -> Void
    /// Devices wait so long for the handshake.
    private let patience: Duration

    /// Begins to connect.
    ///
    /// - Parameter pincode: the code that the key is made of; nil for the key that everyone knows.
    init(
        to address: SocketAddress,
        interface: String,
        pincode: String?,
        patience: Duration,
        told: @escaping @Loop (PairingEvent) -> Void
    ) throws(TuyaProtocolError) {
        codec = try HotspotCodec()
        self.pincode = pincode
        self.patience = patience
        self.told = told
        let options = TCPOptions(interface: interface)
        attempt = TCPConnection.connect(to: address, options: options, deadline: patience) { [weak self] result in
            self?.attempted(result)
        }
    }

    /// Sends a frame; what cannot be sent is the end of the channel.
    func send(_ command: Command, _ body: [UInt8]) {
        sequence += 1
        guard let frame = try? codec.request(command, sequence: sequence, body: body), let connection else { return }
        do throws(TLSError) {
            try connection.send(frame)
        } catch .tooLong {
            // As the device would refuse it.
            Loop.nextTick { [weak self] in self?.told(.frame(command, returnCode: -9, body: [])) }
        } catch {
            connection.close()
        }
    }

    /// Closes at once; nothing is told after this.
    func close() {
        attempt?.cancel()
        attempt = nil
        guard let connection else { return }
        self.connection = nil
        connection.onEstablished = nil
        connection.onRecord = nil
        connection.onClose = nil
        connection.close()
    }

    private func attempted(_ result: Result<TCPConnection, LoopError>) {
        attempt = nil
        switch result {
        case .failure(.refused), .failure(.reset): told(.channelDown(.refused))
        case .failure: told(.channelDown(.unreachable))
        case .success(let connection): shake(connection)
        }
    }

    private func shake(_ stream: TCPConnection) {
        let pincode = pincode
        let role = TLSRole.server { identity in
            // The device names itself: with a code the identity is its uuid, which salts the key.
            guard let pincode else { return identity == HotspotKey.fixed.identity ? HotspotKey.fixed.key : nil }
            return try? HotspotKey.pin(pincode, uuid: identity).key
        }
        do throws(TLSError) {
            let connection = try TLSConnection(stream, role: role)
            connection.onEstablished = { [weak self] in self?.established() }
            connection.onRecord = { [weak self] record in self?.received(record) }
            connection.onClose = { [weak self] error in self?.closed(error) }
            self.connection = connection
            connection.start(deadline: patience)
        } catch {
            stream.close()
            told(.channelDown(.handshake("\(error)")))
        }
    }

    private func established() {
        isUp = true
        told(.channelUp)
    }

    private func received(_ record: [UInt8]) {
        // A record that is no frame is a fault of the device; its answer is then missed by the deadline.
        guard let frame = try? codec.readAnswer(record) else { return }
        told(.frame(frame.command, returnCode: frame.returnCode ?? 0, body: frame.payload))
    }

    private func closed(_ error: TLSError?) {
        connection = nil
        told(.channelDown(isUp ? .lost : Self.reason(error)))
    }

    private static func reason(_ error: TLSError?) -> ChannelBreak {
        switch error {
        case .keysDiffer?: .wrongKey
        // Devices that hold another key say so by an alert: decrypt_error, bad_record_mac, or a failed handshake.
        case .alert(number: 20, _)?, .alert(number: 51, _)?: .wrongKey
        case .timedOut?: .unreachable
        case nil, .truncated?, .closed?, .connection?: .handshake("closed")
        case let error?: .handshake("\(error)")
        }
    }
}
