internal import Crypto
internal import EventLoop
internal import TuyaProtocol

/// One client's connection to a simulated device: frames, keys, sequence numbers and silence.
///
/// What a request means is the lamp's business, see ``LampRequests``.
@Loop
final class LampSession {
    /// How far the two sides are with their session key.
    private enum Key {
        /// Up to 3.3 the local key is all there is.
        case notNeeded
        case awaited(DeviceNegotiation)
        /// The client's proof is awaited; then this key is in force.
        case offered(DeviceNegotiation, SecretKey)
        case agreed
        /// The key begins with a zero byte, and the device takes it for none.
        case dead
    }

    /// Bytes of a sealed frame around its text.
    private static let frameOverhead = 50

    private unowned let lamp: TuyaLamp
    private let connection: TCPConnection
    private let outlet: LampOutlet
    private var decoder: StreamDecoder
    private var codec: SessionCodec
    private var key: Key
    private var lastSequence: UInt32 = 0
    private var ownSequence: UInt32
    private var heard = Loop.now
    private var silence: LoopTimer?
    private var refusal: LoopTimer?
    private var ending: LampEvent.Ending?

    /// Takes over a connection that has just been accepted.
    init(_ lamp: TuyaLamp, _ connection: TCPConnection) throws {
        self.lamp = lamp
        self.connection = connection
        outlet = LampOutlet(connection)
        decoder = StreamDecoder(returnCodes: .never)
        ownSequence = UInt32.random(in: 1...0xFFFF)
        let version = lamp.identity.version
        let localKey = try LocalKey(lamp.identity.localKey)
        if version.negotiates {
            // Devices use a printable nonce, which clients must not mistake for text.
            let nonce = Hex.encodedBytes(try SecureRandom.bytes(8))
            let negotiation = try DeviceNegotiation(version: version, localKey: localKey, nonce: nonce)
            codec = negotiation.codec
            key = .awaited(negotiation)
        } else {
            codec = try SessionCodec(version: version, key: localKey.secret)
            key = .notNeeded
        }
    }

    /// Begins to listen; the lamp holds the session from here on.
    func begin() {
        connection.onClose = { [weak self] error in self?.connectionDidClose(error) }
        connection.onBytes = { [weak self] bytes in self?.receive(bytes) }
        watchSilence()
    }

    /// Whether requests and reports may flow.
    var isReady: Bool {
        guard ending == nil, refusal == nil else { return false }
        return switch key {
        case .notNeeded, .agreed: true
        case .awaited, .offered, .dead: false
        }
    }

    // MARK: Ending

    /// Closes the connection, at once or with a reset.
    func end(_ reason: LampEvent.Ending, resetting: Bool = false) {
        guard ending == nil else { return }
        ending = reason
        silence = nil
        refusal = nil
        if resetting { connection.reset() } else { connection.close() }
        lamp.sessionDidEnd(self, reason)
    }

    private func connectionDidClose(_ error: LoopError?) {
        end(.byClient)
    }

    /// Says nothing more and closes after a while, as devices do that do not trust the client.
    private func refuse(_ reason: LampEvent.Ending) {
        guard refusal == nil else { return }
        refusal = LoopTimer(after: lamp.habits.refusalDelay) { [weak self] in self?.end(reason) }
    }

    private func watchSilence() {
        silence = LoopTimer(at: heard + lamp.habits.silenceLimit) { [weak self] in
            guard let self else { return }
            if Loop.now - heard >= lamp.habits.silenceLimit { end(.silence) } else { watchSilence() }
        }
    }

    // MARK: Receiving

    private func receive(_ bytes: [UInt8]) {
        let arrival = Loop.now
        guard ending == nil, refusal == nil else { return }
        guard !lamp.faults.isSilent else {
            lamp.counts.unheard += 1
            return lamp.tell(.unheard)
        }
        if decoder.buffered == 0, bytes.count < lamp.habits.shortestFirstSegment { return end(.shortSegment) }
        decoder.append(bytes)
        while ending == nil, refusal == nil, let event = decoder.next(codec.protection) {
            switch event {
            case .frame(let frame): handle(frame, arrival)
            case .failure(let error): handle(error)
            case .wrongPrefix(_, let command):
                lamp.tell(.nonsense("frame of another version, command \(command)"))
                if lamp.identity.version.negotiates { refuse(.wrongPrefix) }
            }
        }
        if ending == nil, decoder.buffered >= lamp.habits.frameLimit { end(.tooLong) }
    }

    private func handle(_ error: TuyaProtocolError) {
        lamp.tell(.nonsense(error.code))
        guard error.isChecksumFailure else { return }
        switch lamp.identity.version {
        // A client of 3.1 to 3.3 wrote a CRC where this device expects an HMAC: closed at once, as met in the field.
        case .v34: if case .awaited = key { end(.notNegotiated) } else { refuse(.wrongKey) }
        case .v35: refuse(.wrongKey)
        default: break
        }
    }

    private func handle(_ frame: Frame, _ arrival: MonotonicTime) {
        heard = arrival
        if lamp.habits.demandsRisingSequence, frame.sequence <= lastSequence { return end(.sequenceNotRising) }
        if frame.payload.count + Self.frameOverhead >= lamp.habits.frameLimit { return end(.tooLong) }
        lastSequence = frame.sequence
        lamp.counts.frames += 1
        switch frame.command {
        case .negotiationStart where lamp.identity.version.negotiates: return negotiate(frame)
        case .negotiationFinish where lamp.identity.version.negotiates: return finishNegotiation(frame)
        case .heartbeat:
            lamp.counts.heartbeats += 1
            lamp.tell(.received(.heartbeat, sequence: frame.sequence, body: []))
            return answer(.heartbeat, to: frame, [])
        default: break
        }
        switch key {
        case .notNeeded, .agreed: break
        case .dead: return end(.deadSession, resetting: true)
        case .awaited, .offered: return refuse(.notNegotiated)
        }
        handleRequest(frame, arrival)
    }

    private func handleRequest(_ frame: Frame, _ arrival: MonotonicTime) {
        let body: [UInt8]
        do throws(TuyaProtocolError) {
            body = try codec.plaintext(of: frame)
        } catch {
            // Only up to 3.3: the checksum needs no key, so a wrong one is met here.
            lamp.tell(.nonsense(error.code))
            return answer(frame.command, to: frame, [UInt8]("parse data error".utf8), returnCode: 1, isClear: true)
        }
        lamp.tell(.received(frame.command, sequence: frame.sequence, body: body))
        lamp.handle(LampRequest(command: frame.command, body: body, arrival: arrival, frame: frame, session: self))
    }

    // MARK: Negotiating

    private func negotiate(_ frame: Frame) {
        guard case .awaited(let negotiation) = key else { return end(.negotiatedTwice) }
        do throws(TuyaProtocolError) {
            let options = AnswerOptions(returnCodeOrder: lamp.habits.returnCodeOrder)
            let (bytes, session) = try negotiation.answer(frame, sequence: nextSequence(for: frame), options: options)
            key = .offered(negotiation, session)
            outlet.send(bytes, lamp.faults)
        } catch {
            lamp.tell(.nonsense(error.code))
            refuse(.wrongKey)
        }
    }

    private func finishNegotiation(_ frame: Frame) {
        guard case .offered(let negotiation, let session) = key else { return refuse(.notNegotiated) }
        do throws(TuyaProtocolError) {
            guard try negotiation.accepts(frame) else { return refuse(.wrongKey) }
            codec = try SessionCodec(version: lamp.identity.version, key: session)
        } catch {
            lamp.tell(.nonsense(error.code))
            return refuse(.wrongKey)
        }
        lamp.counts.negotiations += 1
        if lamp.faults.deadSessions > 0 || lamp.habits.takesZeroKeyForNone && session.exposedBytes.first == 0 {
            lamp.faults.deadSessions = max(0, lamp.faults.deadSessions - 1)
            key = .dead
        } else {
            key = .agreed
            lamp.tell(.negotiated)
        }
    }

    // MARK: Sending

    /// Answers a request with its own command.
    ///
    /// - Parameter isHeaded: whether the version header stands in front of the body, as in reports.
    func answer(
        _ command: Command,
        to request: Frame,
        _ body: [UInt8],
        returnCode: Int32 = 0,
        isClear: Bool = false,
        isHeaded: Bool = false
    ) {
        var options = AnswerOptions(returnCode: returnCode, returnCodeOrder: lamp.habits.returnCodeOrder)
        options.isClear = isClear
        if isHeaded { options.header = VersionHeader(device: lamp.identity.version, serial: lamp.serial) }
        send(command, sequence: nextSequence(for: request), options, body)
    }

    /// Sends a report that nobody asked for.
    func push(_ body: [UInt8], serial: UInt32) {
        var options = AnswerOptions(returnCodeOrder: lamp.habits.returnCodeOrder)
        if lamp.habits.headsReports {
            options.header = VersionHeader(device: lamp.identity.version, serial: serial)
        }
        send(.report, sequence: lamp.habits.echoesSequence ? 0 : nextOwnSequence(), options, body)
    }

    private func send(_ command: Command, sequence: UInt32, _ options: AnswerOptions, _ body: [UInt8]) {
        guard ending == nil else { return }
        do throws(TuyaProtocolError) {
            outlet.send(try codec.answer(command, sequence: sequence, options: options, body: body), lamp.faults)
        } catch {
            lamp.tell(.nonsense("cannot send: \(error.code)"))
        }
    }

    private func nextSequence(for request: Frame) -> UInt32 {
        lamp.habits.echoesSequence ? request.sequence : nextOwnSequence()
    }

    private func nextOwnSequence() -> UInt32 {
        ownSequence &+= 1
        return ownSequence
    }
}
