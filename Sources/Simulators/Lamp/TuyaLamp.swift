package import EventLoop
internal import JSON
package import TuyaProtocol

/// A simulated Tuya device on the LAN: listens on TCP, keeps its data points, and behaves as devices do.
///
/// Any protocol version and any product. ``habits`` is what its kind of device always does, ``faults`` what is wrong with
/// it now; both may be changed at any time. Made with ``start()`` and ended with ``stop()``.
@Loop
package final class TuyaLamp {
    package let product: Product
    package internal(set) var identity: LampIdentity
    package var habits: LampHabits
    package var faults = LampFaults()
    /// What the device holds at present.
    package internal(set) var values: DataPointValues
    package internal(set) var counts = LampCounts()
    /// Called with each set that the device took something of, after the values changed and before it is answered.
    package var onSet: (@Loop (TuyaLamp, DataPointValues, MonotonicTime) -> Void)?
    /// Called with everything that happens; leave it nil where speed counts.
    package var onEvent: (@Loop (TuyaLamp, LampEvent) -> Void)?

    var sessions: [LampSession] = []
    var serial = UInt32.random(in: 1...0xFFFF)
    private var listener: TCPListener?
    private var rebootTimer: LoopTimer?
    let countdown = LampCountdown()
    let waiters = LampWaiters<TuyaLamp>()
    var lateCopies: [LoopTimer] = []

    /// A device that does not listen yet.
    package init(_ identity: LampIdentity, _ product: Product = .light(.rgbcw), habits: LampHabits? = nil) {
        self.identity = identity
        self.product = product
        self.habits = habits ?? LampHabits(identity.version)
        values = DataPointValues(product.initialValues)
    }

    // MARK: Listening

    package var isListening: Bool { listener != nil }

    /// Listens at the device's address; with port 0 the system chooses one, which ``identity`` then says.
    package func start() throws(LoopError) {
        guard listener == nil else { return }
        let listener = try TCPListener(bind: identity.address) { [weak self] connection in self?.accept(connection) }
        identity.address = listener.address
        self.listener = listener
        tell(.listening)
    }

    /// Closes the listener and all connections; connecting is refused from now on.
    package func stop() {
        rebootTimer = nil
        countdown.stop()
        stopListening(.stopped)
    }

    private func stopListening(_ reason: LampEvent.Ending) {
        listener?.close()
        listener = nil
        for session in sessions { session.end(reason) }
    }

    private func accept(_ connection: TCPConnection) {
        let limit = faults.maximumClients ?? habits.maximumClients
        guard sessions.count < limit, let session = try? LampSession(self, connection) else {
            counts.turnedAway += 1
            tell(.turnedAway(from: connection.remoteAddress))
            return connection.close()
        }
        sessions.append(session)
        counts.connections += 1
        session.begin()
        tell(.connected(from: connection.remoteAddress))
    }

    func sessionDidEnd(_ session: LampSession, _ reason: LampEvent.Ending) {
        sessions.removeAll { $0 === session }
        tell(.disconnected(reason))
    }

    // MARK: What the test or the person at the console does

    /// Connections that are open, with a session key or without.
    package var connectionCount: Int { sessions.count }

    /// Connections on which requests and reports may flow.
    package var readyCount: Int { sessions.count { $0.isReady } }

    /// Breaks all connections off; the device goes on listening.
    package func drop(resetting: Bool = false) {
        for session in sessions { session.end(.fault, resetting: resetting) }
    }

    /// Drops all connections and refuses new ones for a while, with its values kept.
    package func reboot(for duration: Duration) {
        stopListening(.reboot)
        rebootTimer = LoopTimer(after: duration) { [weak self] in
            guard let self else { return }
            rebootTimer = nil
            // The address was ours a moment ago; where it is taken now, the device stays away, as the caller can see.
            try? start()
        }
    }

    /// Gives the device another address, as a router does after a while; connections are lost.
    package func move(to address: SocketAddress) throws(LoopError) {
        stopListening(.fault)
        identity.address = address
        try start()
    }

    /// Gives the device another local key, as pairing it again does; connections are lost.
    ///
    /// - Parameter key: 16 characters.
    package func repair(key: String) throws(LocalKey.Problem) {
        _ = try LocalKey(key)
        drop()
        identity.localKey = key
    }

    /// Changes values as a person at the device would, and reports them.
    ///
    /// - Returns: the moment just before the report was written.
    @discardableResult
    package func report(_ changes: DataPointValues) -> MonotonicTime {
        values.merge(changes)
        let moment = Loop.now
        push(changes)
        return moment
    }

    /// Changes values without a word, so that only a query finds them.
    package func change(_ changes: DataPointValues) {
        values.merge(changes)
    }

    // MARK: Telling

    func tell(_ event: @autoclosure () -> LampEvent) {
        if let onEvent { onEvent(self, event()) }
        waiters.check(self)
    }

    /// Waits until `condition` holds, looked at after everything that happens to the device; returns early only where the
    /// task is cancelled.
    package func until(_ condition: @escaping @Loop (TuyaLamp) -> Bool) async {
        await waiters.wait(self, condition)
    }
}
