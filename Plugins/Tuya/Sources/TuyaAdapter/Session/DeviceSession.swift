import EventLoop
import HomeModel
import TuyaProtocol

/// Who is told what happens on a device's connection.
@Loop
protocol SessionDelegate: AnyObject {
    func session(_ session: DeviceSession, reported report: StatusReport, _ origin: ReportOrigin)
    func sessionStatusChanged(_ session: DeviceSession)
    func session(_ session: DeviceSession, queryOf child: String?, endedWith error: CommandError?)
    func session(_ session: DeviceSession, lists online: [String], offline: [String])
    func session(_ session: DeviceSession, learned version: ProtocolVersion)
    func session(_ session: DeviceSession, notes note: SessionNote)
}

/// Holds a device's connection and does what its ``SessionMachine`` decides.
@Loop
final class DeviceSession {
    private struct Waiter {
        let ticket: PendingSet.Ticket
        let reply: @Loop (Result<CommandStage, CommandError>) -> Void
    }

    private(set) var machine: SessionMachine
    weak var delegate: (any SessionDelegate)?
    private var connection: TCPConnection?
    private var attempt: ConnectAttempt?
    private var timer: LoopTimer?
    private var timerMoment: MonotonicTime?
    private var isPerforming = false
    private var waiters: [Waiter] = []
    private var lastTicket: PendingSet.Ticket = 0

    init(machine: SessionMachine) { self.machine = machine }

    var status: LinkStatus { machine.status }

    // MARK: Calls

    func start(spread: Duration) { run { $0.start(at: $1, spread: spread) } }

    /// Closes the connection; nothing is told after this.
    func stop() {
        delegate = nil
        run { machine, _ in machine.stop() }
        timer = nil
        timerMoment = nil
    }

    /// Closes the connection; ``start(spread:)`` goes on.
    func pause() {
        run { machine, _ in machine.stop() }
        timer = nil
        timerMoment = nil
    }

    func sighted(at place: SocketAddress?, version: ProtocolVersion?) {
        run { $0.sighted(at: place, version: version, now: $1) }
    }

    func knows(points: [Int]) { machine.knows(points: points) }

    func serves(children: [String]) { machine.children = children }

    func query(child: String?) { run { $0.query(child: child, at: $1) } }

    func settle(child: String?, at moment: MonotonicTime) {
        run { machine, _ in machine.settle(child: child, at: moment) }
    }

    func listChildren() { run { $0.listChildren(at: $1) } }

    /// Sets data points; `reply` is called once, nil where nobody waits.
    func set(_ set: PendingSet, reply: (@Loop (Result<CommandStage, CommandError>) -> Void)?) {
        var set = set
        if let reply {
            lastTicket &+= 1
            set.tickets = [lastTicket]
            waiters.append(Waiter(ticket: lastTicket, reply: reply))
        }
        run { $0.set(set, at: $1) }
    }

    // MARK: Running the machine

    private func run(_ step: (inout SessionMachine, MonotonicTime) -> Void) {
        step(&machine, .now)
        perform()
    }

    /// Does what the machine wants, in order; what comes up meanwhile is done after it, so that frames keep their order.
    private func perform() {
        guard !isPerforming else { return }
        isPerforming = true
        while true {
            let outputs = machine.drain()
            if outputs.isEmpty { break }
            for output in outputs { perform(output) }
        }
        isPerforming = false
        arm()
    }

    private func perform(_ output: SessionOutput) {
        switch output {
        case .send(let frame): connection?.write(frame)
        case .report(let report, let origin): delegate?.session(self, reported: report, origin)
        case .setEnded(let tickets, let result): answer(tickets, result)
        case .connect(let address, let deadline): connect(to: address, within: deadline)
        case .disconnect: disconnect()
        case .statusChanged: delegate?.sessionStatusChanged(self)
        case .queryEnded(let child, let error): delegate?.session(self, queryOf: child, endedWith: error)
        case .children(let online, let offline): delegate?.session(self, lists: online, offline: offline)
        case .learned(let version): delegate?.session(self, learned: version)
        case .note(let note): delegate?.session(self, notes: note)
        }
    }

    private func answer(_ tickets: [PendingSet.Ticket], _ result: Result<CommandStage, CommandError>) {
        for ticket in tickets {
            guard let index = waiters.firstIndex(where: { $0.ticket == ticket }) else { continue }
            let waiter = waiters.remove(at: index)
            if waiters.isEmpty { waiters = [] }
            waiter.reply(result)
        }
    }

    // MARK: The connection

    private func connect(to address: SocketAddress, within deadline: Duration) {
        let options = TCPOptions(noDelay: true, keepAlive: .seconds(60))
        attempt = TCPConnection.connect(to: address, options: options, deadline: deadline) { [weak self] result in
            self?.attempted(result)
        }
    }

    private func attempted(_ result: Result<TCPConnection, LoopError>) {
        attempt = nil
        switch result {
        case .failure(let error):
            run { $0.connectFailed(error, at: $1) }
        case .success(let connection):
            // A session is a few frames of at most 16 KiB; a device that takes none of them is lost.
            connection.writeLimit = 256 << 10
            self.connection = connection
            connection.onClose = { [weak self] error in self?.closed(error) }
            connection.onBytes = { [weak self] bytes in self?.received(bytes) }
            run { $0.connected(at: $1) }
        }
    }

    private func received(_ bytes: [UInt8]) {
        machine.received(bytes, at: .now)
        perform()
    }

    private func closed(_ error: LoopError?) {
        connection = nil
        run { $0.closed(error, at: $1) }
    }

    private func disconnect() {
        attempt?.cancel()
        attempt = nil
        // Ours to forget: its end is not to be told to the session that may follow it.
        connection?.onClose = nil
        connection?.close()
        connection = nil
    }

    // MARK: Time

    /// Sets the timer for the machine's next moment; one that is set for an earlier moment stays, since moments mostly move
    /// on and firing for nothing every few seconds is cheaper than setting a timer with each message.
    private func arm() {
        guard let deadline = machine.deadline else {
            timer = nil
            timerMoment = nil
            return
        }
        if let timerMoment, timerMoment <= deadline { return }
        timerMoment = deadline
        timer = LoopTimer(at: deadline) { [weak self] in self?.fired() }
    }

    private func fired() {
        let lateness = timerMoment.map { .now - $0 } ?? .zero
        timer = nil
        timerMoment = nil
        guard lateness < Self.stall else {
            // The process was stopped or the machine slept: what devices sent meanwhile is read before anything counts as
            // unanswered.
            timerMoment = .now
            timer = LoopTimer(after: Self.breath) { [weak self] in self?.fired() }
            return
        }
        run { $0.timeout(at: $1) }
    }

    /// A timer that is so late was held up by more than a busy loop.
    private static let stall = Duration.seconds(2)
    /// Time for the loop to read what has come.
    private static let breath = Duration.milliseconds(50)
}
