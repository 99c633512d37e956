import DeviceInterface
import EventLoop
import HomeModel
import JSON
import TuyaProtocol

/// A device with its connection, and the sub-devices that it carries where it is a hub.
@Loop
final class DeviceLine {
    let device: TuyaDevice
    let house: TuyaHouse
    let session: DeviceSession
    /// Sub-devices by their names on the hub.
    private(set) var children: [String: TuyaDevice] = [:]
    private var isSought = false
    private var wasOnline = false
    /// The connection is another line's.
    private var isReleased = false
    private var sleepTimer: LoopTimer?

    /// - Parameter session: one that stands already; nil for a new one.
    init(_ device: TuyaDevice, house: TuyaHouse, session before: DeviceSession? = nil) {
        self.device = device
        self.house = house
        session =
            before
            ?? DeviceSession(
                machine: SessionMachine(
                    settings: device.shared,
                    rules: house.rules,
                    provenVersion: device.learned.version,
                    seed: .random(in: .min ... .max)
                )
            )
        session.delegate = self
        session.knows(points: device.state.model.pointIDs)
    }

    /// Begins to reach the device.
    func start(spread: Duration) {
        for device in [device] + children.values {
            device.describe(to: house.host)
            device.tell(connectivity(of: device), house.host)
        }
        session.start(spread: spread)
        updateSearch()
        guard session.status == .online else { return }
        // It stood before: its values are asked for anew.
        sessionStatusChanged(session)
        session.query(child: nil)
    }

    /// Leaves the device alone.
    func stop() {
        failReaders(with: CommandError(.deviceOffline, "The plugin is stopping."))
        if !isReleased { session.stop() }
        sleepTimer = nil
        if isSought { house.seek(false) }
        isSought = false
    }

    /// Closes the connection for a while.
    func pause() {
        session.delegate = nil
        session.pause()
        sessionStatusChanged(session)
    }

    /// Goes on after ``pause()``.
    func resume() {
        session.delegate = self
        session.start(spread: .zero)
    }

    /// Ends without closing the connection.
    ///
    /// - Returns: the connection, for a line that goes on with it.
    func release() -> DeviceSession {
        failReaders(with: CommandError(.deviceOffline, "The device is taken over."))
        isReleased = true
        session.delegate = nil
        return session
    }

    /// Carries a sub-device from now on.
    func add(child: TuyaDevice) {
        guard let name = child.settings.childID else { return }
        children[name] = child
        session.serves(children: children.keys.sorted())
    }

    func remove(child: TuyaDevice) {
        guard let name = child.settings.childID, children[name] === child else { return }
        children[name] = nil
        session.serves(children: children.keys.sorted())
    }

    /// Tells the gateway of a sub-device that came while the line was running.
    func introduce(_ child: TuyaDevice) {
        child.describe(to: house.host)
        child.tell(connectivity(of: child), house.host)
        session.query(child: child.settings.childID)
    }

    /// A beacon of the device was heard.
    func sighted(_ beacon: Beacon, at source: SocketAddress) {
        if let key = beacon.productKey, key != device.productKey, device.settings.product == nil {
            device.productKey = String(key.prefix(64))
            device.describe(to: house.host)
        }
        session.sighted(at: source.with(port: device.settings.port), version: beacon.version)
        updateSearch()
    }

    // MARK: Calls of the gateway

    func write(_ device: TuyaDevice, _ request: WriteRequest, reply: @escaping Reply<WriteReceipt>) {
        if let error = error(of: device) { return fail(device, error, reply) }
        let now = Loop.now
        let plan: DeviceState.Plan
        do throws(CommandError) {
            plan = try device.state.plan(
                request.values,
                assuming: openPoints(of: device),
                splits: device.settings.splitsSets,
                until: now + house.rules.times.settle
            )
        } catch { return fail(device, error, reply) }
        // What waits for the next switch-on is state of ours, so that nobody has to confirm it.
        if !plan.state.isEmpty { tell(plan.state, of: device) }
        guard !plan.points.isEmpty else { return reply(.success(WriteReceipt(stage: .acknowledged))) }
        var set = PendingSet(
            points: plan.points,
            firstPart: plan.firstPart,
            child: device.settings.childID,
            ticket: nil,
            deadline: now + Self.patience(request.deadline),
            isRepeatable: plan.isRepeatable,
            reported: plan.reported
        )
        set.waitsForReport = plan.waitsForReport
        session.set(set) { result in
            switch result {
            case .success(let stage): reply(.success(WriteReceipt(stage: stage)))
            case .failure(let error):
                device.lastError = error.code.rawValue
                reply(.failure(error))
            }
        }
    }

    func read(_ device: TuyaDevice, _ request: ReadRequest, reply: @escaping Reply<ReadResult>) {
        if let error = error(of: device) { return fail(device, error, reply) }
        let patience = Self.patience(request.deadline)
        let timer = LoopTimer(after: patience) { [weak self, weak device] in
            guard let self, let device else { return }
            answerReaders(of: device, with: CommandError(.timeout, "The device did not answer in time."), before: .now)
        }
        device.readers.append(
            TuyaDevice.Reader(properties: request.properties, deadline: .now + patience, timer: timer, reply: reply)
        )
        session.query(child: device.settings.childID)
    }

    /// The caller's time less what the answer's way back may take.
    private static func patience(_ deadline: Duration) -> Duration { deadline - min(deadline / 10, .milliseconds(200)) }

    private func fail<Value>(_ device: TuyaDevice, _ error: CommandError, _ reply: Reply<Value>) {
        device.lastError = error.code.rawValue
        reply(.failure(error))
    }

    /// What is on its way to a device, later values over earlier ones.
    private func openPoints(of device: TuyaDevice) -> DataPoints {
        guard session.machine.isSetting else { return [:] }
        var points = DataPoints()
        for set in session.machine.openSets where set.child == device.settings.childID {
            for (id, value) in set.points { points[id] = value }
            for (id, value) in set.firstPart ?? [:] { points[id] = value }
        }
        return points
    }

    // MARK: Reachability

    /// Why a device cannot be commanded; nil where it can.
    private func error(of device: TuyaDevice) -> CommandError? { status(of: device).commandError }

    private func status(of device: TuyaDevice) -> LinkStatus {
        guard device !== self.device else { return session.status }
        switch session.status {
        case .starting: return .starting
        case .online: return device.isAbsent ? .offline(.absent) : .online
        case .offline(let failure): return .offline(.hub(failure))
        }
    }

    private func connectivity(of device: TuyaDevice) -> Connectivity {
        let status = status(of: device)
        guard status == .offline(.asleep) || status == .offline(.hub(.asleep)) else { return status.connectivity }
        // A device that sleeps is not missed until it has been silent for very long.
        let limit = house.rules.times.sleepLimit
        let isPresent = device.lastReport.map { WallClock.now - $0 < limit } ?? false
        return Connectivity(isOnline: isPresent, reason: .sleeping, detail: LinkFailure.asleep.detail)
    }

    private func updateSearch() {
        let isMissing = device.settings.address == nil && device.settings.localKey != nil && session.status != .online
        guard isMissing != isSought else { return }
        isSought = isMissing
        house.seek(isMissing)
    }

    // MARK: State

    private func tell(_ state: JSONObject, of device: TuyaDevice) {
        house.host.deviceReported(StateReport(device: device.id, state: state, at: WallClock.now))
    }

    /// A device has shown more of itself than was known: the description follows, then everything is told anew.
    private func learn(_ unknown: [Int: SeenType], of device: TuyaDevice) {
        for (id, type) in unknown where device.learned.points.count < LearnedDevice.pointLimit {
            device.learned.points[id] = type
        }
        let model = house.catalog.model(for: device.settings, seen: device.learned.points)
        device.learned.points = model.seen
        house.learned.changed(device.id.text)
        device.state.adopt(model)
        if device === self.device { session.knows(points: device.state.model.pointIDs) }
        device.describe(to: house.host)
        tell(device.state.takeWhole(), of: device)
    }

    private func answerReaders(of device: TuyaDevice, with error: CommandError?, before moment: MonotonicTime? = nil) {
        guard !device.readers.isEmpty else { return }
        let due = device.readers.filter { reader in moment.map { reader.deadline <= $0 } ?? true }
        device.readers.removeAll { reader in moment.map { reader.deadline <= $0 } ?? true }
        for reader in due {
            if let error {
                fail(device, error, reader.reply)
            } else {
                var state = device.state.whole
                if let names = reader.properties {
                    state = JSONObject(state.filter { names.contains($0.key) }.map { ($0.key, $0.value) })
                }
                reader.reply(.success(ReadResult(state: state, at: WallClock.now)))
            }
        }
    }

    private func failReaders(with error: CommandError) {
        for device in [device] + children.values { answerReaders(of: device, with: error) }
    }

    private func device(named child: String?) -> TuyaDevice? { child.map { children[$0] } ?? device }
}

extension DeviceLine: SessionDelegate {
    func session(_ session: DeviceSession, reported report: StatusReport, _ origin: ReportOrigin) {
        guard let device = device(named: report.child) else {
            let child = report.child ?? ""
            if house.note(stranger: child, on: self.device.id.text) {
                house.log(
                    .notice,
                    "a hub spoke of a device that nobody knows",
                    ["device": self.device.id.text, "cid": child]
                )
            }
            return
        }
        let update = device.state.take(report, at: .now)
        device.lastReport = WallClock.now
        if device.isAbsent, origin == .spontaneous {
            // Whoever reports is there, whatever the hub's list said.
            device.isAbsent = false
            device.tell(connectivity(of: device), house.host)
        }
        if !update.unknown.isEmpty || update.hasGrown {
            learn(update.unknown, of: device)
        } else if !update.state.isEmpty {
            tell(update.state, of: device)
        }
        if let moment = update.askAt { session.settle(child: report.child, at: moment) }
        if let points = update.followUp {
            let deadline = Loop.now + house.rules.times.setAnswer * 2
            session.set(PendingSet(points: points, child: report.child, ticket: nil, deadline: deadline), reply: nil)
        }
    }

    func sessionStatusChanged(_ session: DeviceSession) {
        let isOnline = session.status == .online
        if wasOnline, !isOnline {
            device.state.becomeStale()
            for child in children.values { child.state.becomeStale() }
            failReaders(with: session.status.commandError ?? CommandError(.deviceOffline, "The device is offline."))
        }
        device.tell(connectivity(of: device), house.host)
        for child in children.values { child.tell(connectivity(of: child), house.host) }
        house.onLinkChange?(device.id, session.status)
        logStatus(isOnline: isOnline)
        wasOnline = isOnline
        updateSearch()
        watchSleep()
        guard isOnline, !children.isEmpty else { return }
        session.listChildren()
        for name in children.keys.sorted() { session.query(child: name) }
    }

    /// Once when a device is lost and once when it is back.
    private func logStatus(isOnline: Bool) {
        guard isOnline != wasOnline else { return }
        switch session.status {
        case .online: house.log(.info, "the device is reachable", ["device": device.id.text])
        case .offline(.asleep), .starting: break
        case .offline(let failure):
            house.log(
                .warning,
                "the device is not reachable",
                ["device": device.id.text, "reason": failure.reason.rawValue, "detail": failure.detail]
            )
        }
    }

    private func watchSleep() {
        sleepTimer = nil
        guard session.status == .offline(.asleep), device.lastReport != nil else { return }
        sleepTimer = LoopTimer(after: house.rules.times.sleepLimit) { [weak self] in
            guard let self else { return }
            device.tell(connectivity(of: device), house.host)
        }
    }

    func session(_ session: DeviceSession, queryOf child: String?, endedWith error: CommandError?) {
        guard let device = device(named: child) else { return }
        answerReaders(of: device, with: error)
    }

    func session(_ session: DeviceSession, lists online: [String], offline: [String]) {
        for (name, child) in children {
            // A child that the list does not name at all is left as it is: lists are cut, too.
            if offline.contains(name) { child.isAbsent = true } else if online.contains(name) { child.isAbsent = false }
            child.tell(connectivity(of: child), house.host)
        }
    }

    func session(_ session: DeviceSession, learned version: ProtocolVersion) {
        device.learned.version = version
        house.learned.changed(device.id.text)
    }

    func session(_ session: DeviceSession, notes note: SessionNote) {
        house.log(note.level, note.message, note.metadata.merging(["device": device.id.text]) { $1 })
    }
}
