package import EventLoop
import HomeModel
import TuyaProtocol

// What is asked of the device.
extension SessionMachine {
    /// Sets data points; ``SessionOutput/setEnded(_:_:)`` tells how it went, once for every ticket.
    package mutating func set(_ set: PendingSet, at now: MonotonicTime) {
        guard isConnected else {
            let error = status.commandError ?? CommandError(.deviceOffline, "The connection is not ready yet.")
            return emit(.setEnded(set.tickets, .failure(error)))
        }
        guard let superseded = sets.add(set) else {
            let error = CommandError(.deviceBusy, "\(SetQueue.limit) commands wait for the device already.")
            return emit(.setEnded(set.tickets, .failure(error)))
        }
        if !superseded.isEmpty { emit(.setEnded(superseded, .success(.superseded))) }
        pump(now)
    }

    /// Asks for the state of the device or of one of its children.
    package mutating func query(child: String?, at now: MonotonicTime) {
        guard isConnected else { return }
        queries.add(child: child)
        if queries.isEmpty {
            // Nothing can be asked of this device; what it reported is all there is.
            emit(.queryEnded(child: child, nil))
        }
        pump(now)
    }

    /// Asks for the state a little later, when late copies of older values have passed.
    package mutating func settle(child: String?, at moment: MonotonicTime) {
        guard case .online = phase, settleAt == nil else { return }
        unreported = []
        mustSettle = true
        unreportedChild = child
        settleAt = moment
    }

    /// Asks the hub which of its children are there.
    package mutating func listChildren(at now: MonotonicTime) {
        guard isConnected, childList == nil else { return }
        childList = ChildList(completeAt: now + times.answer)
        send(.listChildren, now)
    }

    /// The data points of the device's schema, for devices that answer only for points that are named.
    package mutating func knows(points: [Int]) {
        if !points.isEmpty { queries.knownPoints = points }
    }

    /// Whether a set is out or waiting.
    package var isSetting: Bool {
        if case .set = inFlight { return true }
        return !sets.isEmpty
    }

    /// The sets that the device has not answered yet, oldest first.
    package var openSets: [PendingSet] {
        if case .set(let set, _) = inFlight { return [set] + sets.sets }
        return sets.sets
    }

    // MARK: Ends

    mutating func endSet(_ set: PendingSet, _ result: Result<CommandStage, CommandError>, _ now: MonotonicTime) {
        inFlight = nil
        answerDeadline = nil
        if !set.tickets.isEmpty { emit(.setEnded(set.tickets, result)) }
        pump(now)
    }

    mutating func endQuery(_ part: QueryPart, _ error: CommandError?, _ now: MonotonicTime) {
        inFlight = nil
        answerDeadline = nil
        if part.child != nil || !queries.hasMoreOfDevice { emit(.queryEnded(child: part.child, error)) }
        pump(now)
    }

    /// Some devices report only the first of several points, and what a device refuses it does not report at all: what is
    /// missing after a while is asked for.
    mutating func watchReports(of set: PendingSet, _ now: MonotonicTime) {
        guard !set.reported.isEmpty else { return }
        unreported = set.reported
        unreportedChild = set.child
        settleAt = now + times.settle
    }

    mutating func noteReported(_ report: StatusReport) {
        guard report.child == unreportedChild else { return }
        unreported.removeAll { report.points[$0] != nil }
        if unreported.isEmpty, !mustSettle { settleAt = nil }
    }

    // MARK: Sending

    /// Sends the next request, if none is out and one may go.
    mutating func pump(_ now: MonotonicTime) {
        guard inFlight == nil, isConnected else { return }
        // The first question goes before all else: its answer shows that the device understands us.
        if case .online = phase, !sets.isEmpty, now >= nextSet, let set = sets.next() { return begin(set, now) }
        if let part = queries.next() { return begin(part, now) }
        if let refresh = shared.settings.refresh, let nextRefresh, now >= nextRefresh { sendRefresh(refresh, now) }
    }

    private mutating func begin(_ set: PendingSet, _ now: MonotonicTime) {
        var progress = SetProgress()
        counters.sets &+= 1
        transmit(set, &progress, now)
        inFlight = .set(set, progress)
    }

    /// Sends a set, or the first part of one.
    mutating func transmit(_ set: PendingSet, _ progress: inout SetProgress, _ now: MonotonicTime) {
        if let firstPart = set.firstPart {
            progress.restIsDue = true
            send(.set(firstPart, child: set.child), now)
            answerDeadline = now + times.splitPause
        } else {
            send(.set(set.points, child: set.child), now)
            answerDeadline = now + times.setAnswer
        }
        nextSet = now + times.setPause
    }

    mutating func begin(_ part: QueryPart, _ now: MonotonicTime) {
        switch part {
        case .plain(let child): send(.query(child: child), now)
        case .listed(let ids): send(.queryListed(ids: ids), now)
        }
        inFlight = .query(part)
        answerDeadline = now + times.answer
    }

    private mutating func sendRefresh(_ refresh: RefreshSettings, _ now: MonotonicTime) {
        nextRefresh = now + max(refresh.interval, RefreshSettings.shortestInterval)
        if let refreshHold, now < refreshHold { return }
        lastRefresh = now
        send(.refresh(ids: refresh.points), now)
    }

    mutating func sendHeartbeat(_ now: MonotonicTime) { send(.heartbeat, now) }

    mutating func nextSequence() -> UInt32 {
        sequence &+= 1
        return sequence
    }

    mutating func send(_ request: Request, _ now: MonotonicTime) {
        guard let codec = readyCodec() else { return }
        let writer = writer ?? RequestWriter(version: codec.version, deviceID: shared.settings.id)
        self.writer = writer
        let number = nextSequence()
        do throws(TuyaProtocolError) {
            let frame = try codec.request(writer.command(for: request), sequence: number) { bytes in
                writer.write(request, time: rules.unixTime(), into: &bytes)
            }
            transmit(frame, now)
        } catch {
            lastError = error.code
            note(.warning, "a request could not be written", ["error": error.code])
        }
    }

    mutating func transmit(_ frame: [UInt8], _ now: MonotonicTime) {
        lastSent = now
        counters.framesOut &+= 1
        emit(.send(frame))
    }

    /// The codec under the key in force.
    mutating func readyCodec() -> SessionCodec? {
        if let codec { return codec }
        guard let version, let key = shared.settings.localKey else { return nil }
        let made =
            if let agreement {
                try? SessionCodec(version: version, key: agreement.key, headerText: headerText)
            } else {
                try? SessionCodec(version: version, key: key.secret, headerText: headerText)
            }
        codec = made
        return made
    }
}
