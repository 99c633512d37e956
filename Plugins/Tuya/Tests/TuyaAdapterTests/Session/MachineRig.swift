import EventLoop
import HomeModel
import JSON
import TuyaAdapter
import TuyaProtocol

/// A ``SessionMachine`` in a test's hands: time, the network and the device at the other end are the test's.
///
/// The device answers nothing by itself but the negotiation; a test sees every request in ``requests`` and answers with
/// ``reply(_:_:)`` and its relatives.
struct MachineRig {
    static let id = "bf0123456789abcdefgh"
    static let keyText = "p'&T=5-4u#Xq!a0Z"

    var machine: SessionMachine
    let key: LocalKey
    var deviceKey: LocalKey
    var now = MonotonicTime(nanoseconds: 1_000_000_000_000)

    /// Requests that the machine sent and the test has not looked at.
    var requests: [DeviceRequest] = []
    var sequences: [UInt32] = []
    /// Plain bodies of all requests.
    var bodies: [String] = []
    /// Everything else that it wanted.
    var outputs: [SessionOutput] = []
    var attempts = 0
    var isOpen = false

    /// What the device speaks; nil: what the machine speaks.
    var deviceVersion: ProtocolVersion?
    /// Whether the device answers the first step of a negotiation.
    var negotiates = true
    /// Session keys that begin with a zero byte, so many, by choice of the device's nonce.
    private var decoder = StreamDecoder(returnCodes: .never)
    private var negotiation: DeviceNegotiation?
    private var deviceCodec: SessionCodec?
    private var deviceSequence: UInt32 = 100

    init(
        _ version: ProtocolVersion? = .v33,
        times: SessionTimes = SessionTimes(),
        proven: ProtocolVersion? = nil,
        configure: (inout DeviceSettings) -> Void = { _ in }
    ) throws {
        key = try LocalKey(Self.keyText)
        deviceKey = key
        var settings = DeviceSettings(id: Self.id, localKey: key)
        settings.address = "192.168.1.20"
        settings.version = version
        configure(&settings)
        let rules = SessionRules(
            times: times,
            makeNonce: { [UInt8]("0123456789abcdef".utf8) },
            unixTime: { 1_700_000_000 }
        )
        machine = SessionMachine(settings: SharedSettings(settings), rules: rules, provenVersion: proven, seed: 7)
    }

    var status: LinkStatus { machine.status }

    /// The failure that is shown, if any.
    var failure: LinkFailure? {
        if case .offline(let failure) = machine.status { failure } else { nil }
    }

    // MARK: Steps

    /// Starts, connects and answers the first question.
    mutating func goOnline(_ points: DataPoints = [1: true]) throws {
        try connect()
        try answerQuery(points)
        requests = []
    }

    /// Starts if need be and lets the next attempt succeed, up to the first request.
    mutating func connect() throws {
        try untilAttempt()
        try accept()
    }

    /// Starts if need be and goes to the next attempt.
    mutating func untilAttempt() throws {
        machine.start(at: now)
        try drain()
        // Time that passed may have brought it about already.
        if machine.phaseName == "connecting", !isOpen { return }
        let before = attempts
        var steps = 0
        while attempts == before {
            guard let deadline = machine.deadline, steps < 10 else {
                throw RigError.noAttempt(
                    machine.phaseName,
                    "\(machine.status)",
                    machine.deadline.map { ($0 - now).milliseconds }
                )
            }
            now = max(now, deadline)
            machine.timeout(at: now)
            try drain()
            steps += 1
        }
    }

    /// The connection stands.
    mutating func accept() throws {
        isOpen = true
        decoder = StreamDecoder(returnCodes: .never)
        negotiation = nil
        deviceCodec = nil
        machine.connected(at: now)
        try drain()
    }

    mutating func refuse(_ error: LoopError = .refused) throws {
        machine.connectFailed(error, at: now)
        try drain()
    }

    mutating func close(_ error: LoopError? = nil, after delay: Duration = .zero) throws {
        now = now + delay
        isOpen = false
        machine.closed(error, at: now)
        try drain()
    }

    /// Lets time pass, with everything that becomes due on the way.
    mutating func pass(_ duration: Duration) throws {
        let end = now + duration
        while let deadline = machine.deadline, deadline <= end {
            now = max(now, deadline)
            machine.timeout(at: now)
            try drain()
        }
        now = end
    }

    mutating func set(_ points: DataPoints, ticket: PendingSet.Ticket, within: Duration = .seconds(10)) throws {
        try set(PendingSet(points: points, ticket: ticket, deadline: now + within, reported: points.ids))
    }

    mutating func set(_ set: PendingSet) throws {
        machine.set(set, at: now)
        try drain()
    }

    mutating func sight(_ ip: String?, version: ProtocolVersion? = nil) throws {
        machine.sighted(at: ip.flatMap { SocketAddress(ip: $0, port: 6668) }, version: version, now: now)
        try drain()
    }

    // MARK: The device

    /// Answers with a command and a body.
    mutating func reply(_ command: Command, _ body: String, code: Int32 = 0, isClear: Bool = false) throws {
        let frame = try frame(command, body, code: code, isClear: isClear)
        try receive(frame)
    }

    mutating func answerQuery(_ points: DataPoints) throws {
        var body: [UInt8] = []
        DeviceBody(version: spoken, deviceID: Self.id).writeStatus(points, into: &body)
        try reply(spoken.negotiates ? .queryNew : .query, String(decoding: body, as: UTF8.self))
    }

    mutating func report(_ points: DataPoints, child: String? = nil, time: Int64? = 1_700_000_000) throws {
        var body: [UInt8] = []
        DeviceBody(version: spoken, deviceID: Self.id).writeReport(points, child: child, time: time, into: &body)
        try reply(.report, String(decoding: body, as: UTF8.self))
    }

    mutating func acknowledge(code: Int32 = 0) throws {
        try reply(spoken.negotiates ? .controlNew : .control, "", code: code)
    }

    mutating func pong() throws { try reply(.heartbeat, "") }

    mutating func receive(_ bytes: [UInt8]) throws {
        machine.received(bytes, at: now)
        try drain()
    }

    /// A frame as the device would send it.
    mutating func frame(_ command: Command, _ body: String, code: Int32 = 0, isClear: Bool = false) throws -> [UInt8] {
        deviceSequence += 1
        var options = AnswerOptions(returnCode: code)
        options.isClear = isClear
        return try codec().answer(command, sequence: deviceSequence, options: options, body: [UInt8](body.utf8))
    }

    var spoken: ProtocolVersion { deviceVersion ?? machine.version ?? .v33 }

    private mutating func codec() throws -> SessionCodec {
        if let deviceCodec { return deviceCodec }
        let made = try SessionCodec(version: spoken, key: deviceKey.secret)
        deviceCodec = made
        return made
    }

    // MARK: What the machine wants

    mutating func drain() throws {
        while true {
            let batch = machine.drain()
            if batch.isEmpty { return }
            for output in batch {
                switch output {
                case .connect: attempts += 1
                case .disconnect: isOpen = false
                case .send(let bytes): try take(bytes)
                default: break
                }
                outputs.append(output)
            }
        }
    }

    private mutating func take(_ bytes: [UInt8]) throws {
        decoder.append(bytes)
        while let event = decoder.next(try codec().protection) {
            guard case .frame(let frame) = event else { continue }
            sequences.append(frame.sequence)
            try handle(frame)
        }
    }

    private mutating func handle(_ frame: Frame) throws {
        switch frame.command {
        case .negotiationStart:
            requests.append(.extended(type: "hello", data: nil))
            guard negotiates, spoken.negotiates else { return }
            let nonce = [UInt8]("fedcba9876543210".utf8)
            let negotiation = try DeviceNegotiation(version: spoken, localKey: deviceKey, nonce: nonce)
            self.negotiation = negotiation
            let (answer, key) = try negotiation.answer(frame, sequence: 1)
            // The answer is delivered in the same breath; what follows is under the new key.
            machine.received(answer, at: now)
            deviceCodec = nil
            try drainUnderNegotiation(key: try SessionCodec(version: spoken, key: key))
        case .negotiationFinish: break
        default:
            // Under another key than ours the device reads nothing.
            let body = (try? codec().plaintext(of: frame)) ?? []
            bodies.append(String(decoding: body, as: UTF8.self))
            requests.append(DeviceRequest(command: frame.command, plaintext: body))
        }
    }

    private mutating func drainUnderNegotiation(key codec: SessionCodec) throws {
        var batch = machine.drain()
        if case .send(let bytes)? = batch.first {
            // The last step is still under the local key.
            var finish = StreamDecoder(returnCodes: .never)
            finish.append(bytes)
            if case .frame(let frame)? = finish.next(
                try SessionCodec(version: spoken, key: deviceKey.secret).protection
            ) {
                sequences.append(frame.sequence)
            }
            batch.removeFirst()
        }
        deviceCodec = codec
        for output in batch {
            if case .send(let bytes) = output { try take(bytes) }
            if case .disconnect = output { isOpen = false }
            outputs.append(output)
        }
    }

    // MARK: Looking

    /// The requests since the last look.
    mutating func takeRequests() -> [DeviceRequest] {
        defer { requests = [] }
        return requests
    }

    /// How sets ended since the last look, by ticket.
    mutating func takeSetResults() -> [PendingSet.Ticket: Result<CommandStage, CommandError>] {
        var results: [PendingSet.Ticket: Result<CommandStage, CommandError>] = [:]
        outputs.removeAll { output in
            guard case .setEnded(let tickets, let result) = output else { return false }
            for ticket in tickets { results[ticket] = result }
            return true
        }
        return results
    }

    /// The reports since the last look.
    mutating func takeReports() -> [StatusReport] {
        var reports: [StatusReport] = []
        outputs.removeAll { output in
            guard case .report(let report, _) = output else { return false }
            reports.append(report)
            return true
        }
        return reports
    }

    var notes: [String] {
        outputs.compactMap { if case .note(let note) = $0 { note.message } else { nil } }
    }
}

enum RigError: Error { case noAttempt(String, String, Double?) }
