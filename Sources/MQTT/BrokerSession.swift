import CMosquitto
import EventLoop
import Glibc

/// One attempt to reach the broker and, if it succeeds, the connection, until that ends.
///
/// The worker resolves the name and sets TLS up; from then on the loop watches the socket and makes all calls to
/// libmosquitto. Events are handed on when a call has returned, so that whoever gets them may publish at once.
@Loop
@safe final class BrokerSession {
    private enum Phase {
        /// A worker has the handle.
        case lent
        case connecting
        case handshaking
        case established
        case closed
    }

    /// The most packets of small messages that are read before the rest of the loop gets its turn.
    private static let readBudget = 64

    let context: CallbackContext
    private let isEncrypted: Bool
    /// nil once the session has ended, except that a worker which has it keeps it.
    private var handle: MosquittoHandle?
    private var watch: DescriptorWatch?
    private var keepAliveTimer: LoopTimer?
    private var phase = Phase.connecting
    private var isDelivering = false
    private var spare: [SessionEvent] = []

    /// Whether the host was reached, which tells a silent broker from none.
    private(set) var wasReached = false
    /// Whether the broker accepted us.
    private(set) var wasAccepted = false
    /// The code with which the broker refused to accept us.
    private(set) var rejection: UInt8?
    /// Gets each event, never from inside a call to this class, except that ``publish`` may hand on earlier ones.
    var onEvent: (@Loop (SessionEvent) -> Void)?
    /// Called once when the session has ended by itself.
    var onEnd: (@Loop (MQTTError) -> Void)?

    init(_ options: MQTTOptions, _ version: MQTTVersion) throws(MQTTError) {
        context = CallbackContext(version: version)
        isEncrypted = options.tls != nil
        handle = try MosquittoHandle(clientID: options.clientID, context: context)
    }

    var isOpen: Bool { phase != .closed }

    /// The handle, while the loop may use it.
    private var raw: OpaquePointer? {
        guard phase != .lent, phase != .closed, handle != nil else { return nil }
        return unsafe handle?.raw
    }

    // MARK: Connecting

    /// Resolves and begins to connect on a worker.
    ///
    /// - Parameter completion: called when the worker has returned, however long after the session was closed.
    func connect(
        _ options: MQTTOptions,
        _ version: MQTTVersion,
        _ family: ReconnectPolicy.Family,
        completion: @escaping @Loop () -> Void
    ) {
        guard let raw = unsafe raw else { return completion() }
        phase = .lent
        let setup = unsafe SessionSetup(raw: raw, context: context, options: options, version: version, family: family)
        Loop.offload {
            try setup.begin()
        } completion: { [self] result in
            workerReturned(result)
            completion()
        }
    }

    private func workerReturned(_ result: Result<SessionSetup.Outcome, any Error>) {
        guard isOpen else { return handle = nil }
        phase = .connecting
        switch result {
        case .failure(let error):
            end(error as? MQTTError ?? .library(code: 0, text: "\(error)"))
        case .success(let outcome) where outcome.code > 0:
            end(error(outcome))
        case .success:
            startWatching()
        }
    }

    private func startWatching() {
        guard let raw = unsafe raw else { return }
        do {
            watch = try DescriptorWatch(
                descriptor: unsafe mosquitto_socket(raw),
                events: [.readable, .writable]
            ) { [unowned self] in ready($0) }
        } catch {
            return end(.unreachable(detail: "\(error)"))
        }
        keepAliveTimer = LoopTimer(after: .seconds(1), every: .seconds(1)) { [unowned self] in
            unsafe call { unsafe mosquitto_loop_misc($0) }
        }
    }

    // MARK: The socket

    private func ready(_ events: DescriptorWatch.Events) {
        switch phase {
        case .lent, .closed: break
        case .connecting: socketConnected()
        case .handshaking: handshake()
        case .established:
            if events.contains(.writable) { unsafe call { unsafe mosquitto_loop_write($0, 1) } }
            if events.contains(.readable) { read() }
            updateWatch()
        }
    }

    private func socketConnected() {
        guard let raw = unsafe raw else { return }
        var failure: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        unsafe getsockopt(mosquitto_socket(raw), SOL_SOCKET, SO_ERROR, &failure, &size)
        guard failure == 0 else { return end(.unreachable(detail: Self.systemText(failure))) }
        wasReached = true
        phase = isEncrypted ? .handshaking : .established
        if isEncrypted {
            handshake()
        } else {
            // Sends the CONNECT.
            unsafe call { unsafe mosquitto_loop_write($0, 1) }
            updateWatch()
        }
    }

    /// Goes on with the handshake, which in libmosquitto is a matter of reading; when it is over, the CONNECT goes out.
    private func handshake() {
        read()
        unsafe call { unsafe mosquitto_loop_write($0, 1) }
        // The few bytes of a handshake always fit into the socket.
        phase == .handshaking ? watch?.update(events: .readable) : updateWatch()
    }

    private func read() {
        for _ in 0..<Self.readBudget {
            let before = context.eventCount
            unsafe call { unsafe mosquitto_loop_read($0, 1) }
            // One call reads one packet; without an event there was none, or none that concerns us.
            guard isOpen, context.eventCount != before else { return }
        }
    }

    private func updateWatch() {
        guard phase == .established, let raw = unsafe raw else { return }
        watch?.update(events: unsafe mosquitto_want_write(raw) ? [.readable, .writable] : .readable)
    }

    // MARK: Calls

    /// Makes a call to the library, hands on what it reported, and ends the session if the call says so.
    private func call(_ body: (OpaquePointer) -> Int32) {
        guard let raw = unsafe raw else { return }
        let code = unsafe body(raw)
        let outcome = SessionSetup.Outcome(code: code, errno: errno)
        deliver()
        guard isOpen, code != MOSQ_ERR_SUCCESS.rawValue else { return }
        end(error(outcome))
    }

    private func deliver() {
        guard !isDelivering else { return }
        isDelivering = true
        defer { isDelivering = false }
        while context.hasEvents {
            var events: [SessionEvent] = []
            swap(&events, &spare)
            context.take(into: &events)
            for event in events where isOpen { handle(event) }
            events.removeAll(keepingCapacity: true)
            spare = events
        }
    }

    private func handle(_ event: SessionEvent) {
        switch event {
        case .rejected(let code):
            rejection = code
        case .accepted:
            wasAccepted = true
            phase = .established
            // The library formats a line for every packet as long as somebody listens.
            if let raw = unsafe raw { unsafe mosquitto_log_callback_set(raw, nil) }
            onEvent?(event)
            updateWatch()
        case .ended(let code):
            // The call that brought this has more to say, unless the broker, or we, ended it in good order.
            guard code == 0 || code >= 128 else { return }
            let reason = UInt8(truncatingIfNeeded: code)
            end(.refused(code: reason, text: Mosquitto.text(reason: reason, context.version)))
        default:
            onEvent?(event)
        }
    }

    /// Publishes; `properties` must be empty for 3.1.1.
    ///
    /// - Returns: the id of the message, and whether it is written already and nothing more will come.
    func publish(
        _ message: MQTTMessage,
        _ properties: borrowing PropertyList
    ) throws(MQTTError) -> (id: Int32, isDone: Bool) {
        guard let raw = unsafe raw else { throw .notConnected }
        var id: Int32 = 0
        let code = unsafe properties.withRaw { list in
            unsafe message.payload.withUnsafeBytes { payload in
                unsafe mosquitto_publish_v5(
                    raw,
                    &id,
                    message.topic,
                    Int32(truncatingIfNeeded: payload.count),
                    payload.baseAddress,
                    Int32(message.qos.rawValue),
                    message.retain,
                    list
                )
            }
        }
        let outcome = SessionSetup.Outcome(code: code, errno: errno)
        try check(outcome, "topic \"\(message.topic)\"")
        let isDone = message.qos == .atMostOnce && context.takeIfLast(publishedID: id)
        if !isDone { updateWatch() }
        return (id, isDone)
    }

    /// Subscribes to filters that share QoS and options; the id comes back with the codes.
    func subscribe(_ filters: [String], qos: MQTTQoS, options: Int32) throws(MQTTError) -> Int32 {
        try unsafe withFilters(filters) { raw, id, count, list in
            unsafe mosquitto_subscribe_multiple(raw, id, count, list, Int32(qos.rawValue), options, nil)
        }
    }

    /// Unsubscribes; the id comes back with the answer.
    func unsubscribe(_ filters: [String]) throws(MQTTError) -> Int32 {
        try unsafe withFilters(filters) { raw, id, count, list in
            unsafe mosquitto_unsubscribe_multiple(raw, id, count, list, nil)
        }
    }

    private func withFilters(
        _ filters: [String],
        _ body: (OpaquePointer, UnsafeMutablePointer<Int32>, Int32, UnsafePointer<UnsafeMutablePointer<CChar>?>) ->
            Int32
    ) throws(MQTTError) -> Int32 {
        guard let raw = unsafe raw else { throw .notConnected }
        let list = unsafe filters.map { unsafe strdup($0) }
        defer { unsafe list.forEach { unsafe free($0) } }
        var id: Int32 = 0
        let code = unsafe list.withUnsafeBufferPointer { buffer -> Int32 in
            guard let base = buffer.baseAddress else { return MOSQ_ERR_INVAL.rawValue }
            return unsafe body(raw, &id, Int32(filters.count), base)
        }
        try check(SessionSetup.Outcome(code: code, errno: errno), "filters \(filters)")
        updateWatch()
        return id
    }

    /// Asks the broker to end the connection in good order, after all that is queued.
    func disconnect() {
        unsafe call { unsafe mosquitto_disconnect_v5($0, 0, nil) }
        updateWatch()
    }

    /// Ends the session without a word; neither `onEnd` nor `onEvent` is called after this.
    func close() {
        onEvent = nil
        onEnd = nil
        // The library closes the descriptor, or has just done so; in between nobody on the loop can get its number.
        watch?.cancel()
        watch = nil
        keepAliveTimer = nil
        if phase != .lent { handle = nil }
        phase = .closed
    }

    private func end(_ reason: MQTTError) {
        let report = onEnd
        close()
        guard let rejection else { report?(reason); return }
        report?(.refused(code: rejection, text: Mosquitto.text(reason: rejection, context.version)))
    }

    // MARK: Errors

    /// Throws where a call did not succeed; what breaks the connection also ends the session, after the caller has
    /// returned.
    private func check(_ outcome: SessionSetup.Outcome, _ what: @autoclosure () -> String) throws(MQTTError) {
        switch mosq_err_t(rawValue: outcome.code) {
        case MOSQ_ERR_SUCCESS: return
        case MOSQ_ERR_OVERSIZE_PACKET, MOSQ_ERR_PAYLOAD_SIZE: throw .tooLarge
        case MOSQ_ERR_INVAL, MOSQ_ERR_MALFORMED_UTF8, MOSQ_ERR_QOS_NOT_SUPPORTED, MOSQ_ERR_DUPLICATE_PROPERTY:
            throw .invalid(detail: "\(what()): \(Mosquitto.text(outcome.code))")
        default:
            let reason = error(outcome)
            Loop.nextTick { [weak self] in
                guard let self, isOpen else { return }
                end(reason)
            }
            throw reason
        }
    }

    private func error(_ outcome: SessionSetup.Outcome) -> MQTTError {
        switch mosq_err_t(rawValue: outcome.code) {
        case MOSQ_ERR_CONN_LOST where !wasAccepted: .protocolViolation(detail: "closed without an answer")
        case MOSQ_ERR_CONN_LOST: .connectionLost(detail: "closed by the broker")
        case MOSQ_ERR_NO_CONN: .connectionLost(detail: "no connection")
        case MOSQ_ERR_KEEPALIVE: .connectionLost(detail: "the broker is silent")
        case MOSQ_ERR_ERRNO where !wasReached: .unreachable(detail: Self.systemText(outcome.errno))
        // What OpenSSL finds wrong in the midst of a connection.
        case MOSQ_ERR_ERRNO where outcome.errno == EPROTO && isEncrypted: .tls(detail: context.lastError)
        case MOSQ_ERR_ERRNO: .connectionLost(detail: Self.systemText(outcome.errno))
        case MOSQ_ERR_EAI: .unreachable(detail: unsafe String(cString: gai_strerror(outcome.errno)))
        case MOSQ_ERR_TLS: .tls(detail: context.lastError)
        case MOSQ_ERR_PROTOCOL, MOSQ_ERR_MALFORMED_PACKET, MOSQ_ERR_CONN_REFUSED:
            .protocolViolation(detail: Mosquitto.text(outcome.code))
        default: .library(code: outcome.code, text: Mosquitto.text(outcome.code))
        }
    }

    private static func systemText(_ number: Int32) -> String { unsafe String(cString: strerror(number)) }
}
