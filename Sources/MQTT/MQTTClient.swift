package import EventLoop

/// A client of one MQTT broker, which comes back by itself when the connection is lost.
///
/// Lives on the loop: closures are called on it, messages go from the socket to ``onMessage`` and from ``publish`` to the
/// socket without a hop. Subscriptions are remembered and made anew on every connection; messages are not: what is
/// published while there is no connection fails at once, and whoever publishes says everything again when ``onState``
/// reports the next one. Dropping the last reference ends the connection without a word, so that the will is published.
@Loop
package final class MQTTClient {
    package let options: MQTTOptions
    /// Where the client stands.
    package private(set) var state = MQTTState.stopped
    /// Called after each change of ``state``.
    package var onState: (@Loop (MQTTState) -> Void)?
    /// Called with each message that arrives, in order.
    package var onMessage: (@Loop (MQTTMessage) -> Void)?
    /// Called with the broker's answer to each subscription, on every connection.
    package var onSubscribed: (@Loop (MQTTSubscription, MQTTSubackCode) -> Void)?
    /// Called when ``outstanding`` has come down to zero.
    package var onDrain: (@Loop () -> Void)?

    private let random: @Loop () -> Double
    private var policy: ReconnectPolicy
    private var session: BrokerSession?
    private var isWorkerBusy = false
    private var isStopping = false
    private var connectedAt: MonotonicTime?
    private var timer: LoopTimer?
    private var cache = PropertyCache()
    private var queue = PublishQueue()
    private var book = SubscriptionBook()
    private var stopWaiter: (@Loop () -> Void)?

    /// Makes a client, which does nothing before ``start()``.
    ///
    /// - Parameter random: from 0 up to, not including, 1; spreads the reconnects of many clients.
    package init(_ options: MQTTOptions, random: @escaping @Loop () -> Double = { .random(in: 0..<1) }) {
        self.options = options
        self.random = random
        policy = ReconnectPolicy(options.versions)
    }

    isolated deinit {
        session?.close()
    }

    /// The messages that wait for the network or for the broker's acknowledgement.
    package var outstanding: Int { queue.count }

    // MARK: Starting and stopping

    /// Begins to connect, and goes on until ``stop(within:)``.
    package func start() {
        guard state == .stopped else { return }
        isStopping = false
        attempt()
    }

    /// Sends what waits, then ends the connection in good order, so that the will is not published.
    ///
    /// - Parameter deadline: the time for what waits; what is left then fails with ``MQTTError/stopped``.
    package func stop(within deadline: Duration = .seconds(5)) async {
        guard state != .stopped, !isStopping else { return }
        isStopping = true
        if state.isConnected {
            await wait(atMost: deadline) { [self] in queue.count == 0 || session == nil }
            session?.disconnect()
            await wait(atMost: .seconds(1)) { [self] in session == nil }
        }
        session?.close()
        session = nil
        timer = nil
        fail(with: .stopped)
        for completion in book.abandonCalls() { completion(.failure(.stopped)) }
        change(to: .stopped)
    }

    /// Waits until `condition` holds, which is looked at after each event, or until the time is over.
    private func wait(atMost deadline: Duration, until condition: @escaping @Loop () -> Bool) async {
        if condition() { return }
        await withCheckedContinuation { continuation in
            let finish: @Loop () -> Void = { [unowned self] in
                stopWaiter = nil
                timer = nil
                continuation.resume()
            }
            timer = LoopTimer(after: deadline, finish)
            stopWaiter = { if condition() { finish() } }
        }
    }

    // MARK: Connecting

    private func attempt() {
        change(to: .connecting(policy.version))
        timer = LoopTimer(after: options.connectDeadline) { [unowned self] in timedOut() }
        // A worker that still waits for a name would otherwise be joined by another, and another.
        if !isWorkerBusy { open() }
    }

    private func open() {
        let version = policy.version
        do throws(MQTTError) {
            let session = try BrokerSession(options, version)
            self.session = session
            session.onEvent = { [unowned self] in handle($0) }
            session.onEnd = { [unowned self] in sessionEnded($0) }
            isWorkerBusy = true
            session.connect(options, version, policy.family) { [weak self] in self?.workerReturned() }
        } catch {
            retry(after: .misconfigured, error)
        }
    }

    private func workerReturned() {
        isWorkerBusy = false
        guard session == nil, case .connecting = state else { return }
        open()
    }

    private func timedOut() {
        let reason = MQTTError.timedOut(after: options.connectDeadline)
        session == nil ? retry(after: .unreachable, reason) : sessionEnded(reason)
    }

    private func accepted(_ info: MQTTConnectionInfo) {
        timer = nil
        connectedAt = .now
        for batch in book.batchesForNewConnection() { send(batch) }
        change(to: .connected(info))
    }

    private func sessionEnded(_ reason: MQTTError) {
        guard let session else { return }
        self.session = nil
        session.close()
        timer = nil
        let ending = Self.ending(of: session, reason, since: connectedAt)
        connectedAt = nil
        fail(with: .connectionLost(detail: "\(reason)"))
        stopWaiter?()
        guard !isStopping else { return }
        retry(after: ending, reason)
    }

    private func retry(after ending: ReconnectPolicy.Ending, _ reason: MQTTError) {
        let retry = policy.retry(after: ending, random: random())
        // Another version is tried at once and is no news by itself.
        guard retry.delay > .zero else { return Loop.nextTick { [weak self] in self?.attemptIfWanted() } }
        timer = LoopTimer(after: retry.delay) { [unowned self] in attemptIfWanted() }
        change(to: .disconnected(reason: retry.isDuplicateInstance ? .duplicateInstance : reason, retryIn: retry.delay))
    }

    private func attemptIfWanted() {
        guard !isStopping, session == nil else { return }
        attempt()
    }

    private static func ending(
        of session: BrokerSession,
        _ reason: MQTTError,
        since connectedAt: MonotonicTime?
    ) -> ReconnectPolicy.Ending {
        if let connectedAt {
            if case .refused(let code, _) = reason, code >= 128 { return .lost(code: code, after: .now - connectedAt) }
            return .lost(code: nil, after: .now - connectedAt)
        }
        switch reason {
        case .refused(let code, _): return .rejected(code: code)
        case .tls: return .untrusted
        case .invalid: return .misconfigured
        default: return session.wasReached ? .silent : .unreachable
        }
    }

    private func change(to new: MQTTState) {
        state = new
        onState?(new)
    }

    // MARK: Events

    private func handle(_ event: SessionEvent) {
        switch event {
        case .message(let message): onMessage?(message)
        case .published(let id, let code): published(id, code)
        case .accepted(let info): accepted(info)
        case .subscribed(let id, let codes): subscribed(id, codes)
        case .unsubscribed, .rejected, .ended: break
        }
    }

    private func published(_ id: Int32, _ code: UInt8) {
        guard let completion = queue.remove(id) else { return }
        completion?(Self.result(code, session?.context.version ?? .v5))
        guard queue.count == 0 else { return }
        onDrain?()
        stopWaiter?()
    }

    private static func result(_ code: UInt8, _ version: MQTTVersion) -> Result<MQTTPublishAck, MQTTError> {
        if code < 128 { return .success(MQTTPublishAck(reasonCode: code)) }
        return .failure(.refused(code: code, text: Mosquitto.text(reason: code, version)))
    }

    /// Fails all messages that wait.
    private func fail(with error: MQTTError) {
        for completion in queue.removeAll() { completion(.failure(error)) }
    }

    // MARK: Publishing

    /// Publishes a message, at once if the network takes it.
    ///
    /// QoS above the broker's maximum is lowered to it. In 3.1.1 the properties are left out.
    ///
    /// - Parameter completion: called once, after this has returned: when the message is written (QoS 0) or acknowledged,
    ///   or with the reason why it was not sent or may be lost. Never on top of another's completion.
    package func publish(_ message: MQTTMessage, completion: PublishCompletion? = nil) {
        do throws(MQTTError) {
            try send(message, completion)
        } catch {
            guard let completion else { return }
            Loop.nextTick { completion(.failure(error)) }
        }
    }

    /// Gets the end of a publish.
    package typealias PublishCompletion = @Loop (Result<MQTTPublishAck, MQTTError>) -> Void

    private func send(_ message: MQTTMessage, _ completion: PublishCompletion?) throws(MQTTError) {
        guard case .connected(let info) = state, let session else { throw isStopping ? .stopped : .notConnected }
        guard queue.count < options.maximumOutstanding,
            queue.bytes + message.payload.count <= options.maximumOutstandingBytes
        else { throw .queueFull(outstanding: queue.count) }
        guard !message.topic.utf8.contains(0) else { throw .invalid(detail: "a topic with NUL") }
        var message = message
        if message.qos.rawValue > info.maximumQoS.rawValue { message.qos = info.maximumQoS }
        let properties = try cache.list(for: message.properties, info.version)
        let (id, isDone) = try session.publish(message, properties.list)
        if !isDone {
            queue.add(id, bytes: message.payload.count, completion)
        } else if let completion {
            Loop.nextTick { completion(.success(MQTTPublishAck())) }
        }
    }

    // MARK: Subscribing

    /// Receives messages that match, on this connection and on all that follow.
    ///
    /// - Parameter completion: called once with the broker's first answer to each, in their order, be that after a
    ///   reconnect.
    package func subscribe(
        _ subscriptions: [MQTTSubscription],
        completion: (@Loop (Result<[MQTTSubackCode], MQTTError>) -> Void)? = nil
    ) {
        book.add(subscriptions, completion)
        guard state.isConnected else { return }
        for batch in SubscriptionBook.batches(subscriptions) { send(batch) }
    }

    /// Receives messages of these filters no more.
    package func unsubscribe(_ filters: [String]) {
        book.remove(filters)
        guard state.isConnected else { return }
        _ = try? session?.unsubscribe(filters)
    }

    private func send(_ batch: SubscriptionBook.Batch) {
        let filters = batch.filters.filter { Mosquitto.isFilter($0) }
        if filters.count < batch.filters.count {
            Loop.nextTick { [weak self] in self?.refuse(batch.filters.filter { !Mosquitto.isFilter($0) }) }
        }
        // A connection that is lost subscribes again when it is back.
        guard !filters.isEmpty,
            let id = try? session?.subscribe(filters, qos: batch.qos, options: batch.options)
        else { return }
        book.sent(id, filters)
    }

    /// Answers for the broker, which never sees these: 143 is "topic filter invalid".
    private func refuse(_ filters: [String]) {
        // Ids of real packets are above zero.
        book.sent(0, filters)
        subscribed(0, filters.map { _ in 143 })
    }

    private func subscribed(_ id: Int32, _ codes: [UInt8]) {
        let answer = book.answered(id, codes)
        for (subscription, code) in answer.codes { onSubscribed?(subscription, code) }
        for (completion, codes) in answer.finished { completion(.success(codes)) }
    }
}
