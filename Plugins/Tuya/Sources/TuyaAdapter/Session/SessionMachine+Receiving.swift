package import EventLoop
import HomeModel
import JSON
import TuyaProtocol

// What the device says.
extension SessionMachine {
    /// Bytes came.
    package mutating func received(_ bytes: [UInt8], at now: MonotonicTime) {
        switch phase {
        case .idle, .waiting, .connecting: return
        case .quiet, .negotiating, .querying, .online: break
        }
        let silence = now - lastHeard
        lastHeard = now
        heardAnything = true
        decoder.append(bytes)
        while let protection = protection(), let event = decoder.next(protection) {
            switch event {
            case .frame(let frame): handle(frame, now)
            case .failure(let error): handle(error, now)
            case .wrongPrefix(let format, _): wrongPrefix(format, now)
            }
            guard decodes else { return }
        }
        frameDeadline = decoder.buffered > 0 ? now + times.frameGap : nil
        rest(after: silence)
    }

    private var decodes: Bool {
        switch phase {
        case .quiet, .negotiating, .querying, .online: true
        case .idle, .waiting, .connecting: false
        }
    }

    /// What is in force at this moment; it changes between two frames of a segment.
    private mutating func protection() -> FrameProtection? {
        switch phase {
        case .negotiating(let negotiation): negotiation.codec.protection
        case .quiet, .querying, .online: readyCodec()?.protection
        case .idle, .waiting, .connecting: nil
        }
    }

    /// Gives up the cipher contexts of a device that says something only now and then.
    ///
    /// They take more room than all else that is known of a device, and making them again costs a few microseconds.
    private mutating func rest(after silence: Duration) {
        guard case .online = phase, inFlight == nil, sets.isEmpty else { return }
        guard silence > Self.pace || lastWasPong || onlineSince == lastHeard else { return }
        codec = nil
        writer = nil
    }

    /// A device that speaks more often keeps its cipher contexts.
    private static let pace = Duration.seconds(1)

    private mutating func handle(_ frame: Frame, _ now: MonotonicTime) {
        counters.framesIn &+= 1
        lastWasPong = false
        if case .negotiating(let negotiation) = phase { return handle(frame, negotiation, now) }
        guard let codec = readyCodec() else { return }
        do throws(TuyaProtocolError) {
            var frame = frame
            let isEmpty = frame.payload.isEmpty
            try codec.openPayload(of: &frame)
            if !isEmpty { undecipherable = 0 }
            handle(DeviceReply(command: frame.command, plaintext: frame.payload), frame.command, now)
        } catch {
            counters.badFrames &+= 1
            lastError = error.code
            undecipherable += 1
            if undecipherable >= Self.patience { end(.keyRefused(.undecipherable), .negotiationFailed, now) }
        }
    }

    /// How many times in a row a device may say something that speaks against key and version.
    private static let patience = 3

    private mutating func handle(_ frame: Frame, _ negotiation: Negotiation, _ now: MonotonicTime) {
        do throws(TuyaProtocolError) {
            guard case .agreed(let agreement) = try negotiation.receive(frame) else { return }
            guard agreement.isUsable else {
                return end(.unreachable(.lost), .deadKey, now, because: "dead session key", quietly: true)
            }
            transmit(try negotiation.finish(agreement, sequence: nextSequence()), now)
            self.agreement = agreement
            codec = nil
            beginSession(now)
        } catch {
            switch error {
            case .negotiationHMACMismatch: end(.keyRefused(.proof), .keyRefused, now, because: error.code)
            case .negotiationUnexpectedCommand: refuseVersion(now, error.code)
            default: end(.keyRefused(.undecipherable), .negotiationFailed, now, because: error.code)
            }
        }
    }

    /// The connection is ready for requests.
    mutating func beginSession(_ now: MonotonicTime) {
        phase = .querying
        heardAnything = false
        inFlight = nil
        queries.removeAll()
        switch (queries.dialect, shared.settings.dialect) {
        case (_, .listed): queries.dialect = .listed
        case (_, .plain): queries.dialect = .plain
        case (.none, .auto), (.plain, .auto): queries.dialect = version == .v32 ? .listed : .plain
        case (.listed, .auto): break
        }
        queries.add(child: nil)
        pump(now)
    }

    private mutating func handle(_ error: TuyaProtocolError, _ now: MonotonicTime) {
        counters.badFrames &+= 1
        lastError = error.code
        if case .negotiating = phase, error.isChecksumFailure {
            // Perhaps garbage; the right answer may still come.
            sawBadSeal = true
            answerDeadline = min(answerDeadline ?? now, now + times.retryUnit)
        } else if decoder.checksumFailures >= Self.patience {
            if hasProof { dropped(now, error.code) } else { end(.keyRefused(.undecipherable), .negotiationFailed, now) }
        }
    }

    /// Whether this session has shown that key and version are right.
    private var hasProof: Bool { if case .online = phase { true } else { false } }

    /// A frame of the other kind: another version is spoken at the other end.
    private mutating func wrongPrefix(_ format: FrameFormat, _ now: MonotonicTime) {
        choice.suspect(format == .sealed ? .v35 : .v34)
        switch phase {
        case .negotiating, .querying, .quiet: refuseVersion(now, "wrong_prefix")
        default:
            complaints += 1
            if complaints >= Self.patience { refuseVersion(now, "wrong_prefix") }
        }
    }

    mutating func refuseVersion(_ now: MonotonicTime, _ cause: String) {
        guard let version else { return }
        end(.versionRefused(spoken: version, announced: choice.announced), .negotiationFailed, now, because: cause)
    }

    // MARK: Replies

    private mutating func handle(_ reply: DeviceReply, _ command: Command, _ now: MonotonicTime) {
        switch reply {
        case .pong:
            lastWasPong = true
        case .status(let report):
            complaints = 0
            handle(report, command, now)
        case .acknowledged:
            acknowledged(now)
        case .emptyStatus:
            emptyStatus(command, now)
        case .extended(let type, let data):
            guard type == "subdev_online_stat_report" else { return }
            var list = childList ?? ChildList(completeAt: now)
            list.add(data)
            list.completeAt = now + times.childListGap
            childList = list
        case .ignored:
            break
        case .queryNotSupported:
            queryRefused(now)
        case .wrongDialectOrVersion, .wrongKeyOrVersion:
            complained(reply, now)
        case .unknownDeviceID:
            guard case .query(let part)? = inFlight, part.child != nil else {
                return end(.idRefused, .keyRefused, now, because: reply.code)
            }
            endQuery(part, CommandError(.deviceOffline, "The hub does not know the device."), now)
        case .unparsable:
            unparsable(command, now)
        }
    }

    private mutating func handle(_ report: StatusReport, _ command: Command, _ now: MonotonicTime) {
        counters.reports &+= 1
        emit(.report(report, command == .report ? .spontaneous : .answer))
        succeedUnlessSearching(now)
        if !unreported.isEmpty { noteReported(report) }
        switch inFlight {
        case .set(let set, var progress)?:
            if report.child == set.child { confirm(set, &progress, by: report, now) }
        case .query(let part)?:
            guard command != .report, part.child == report.child else { return }
            if case .listed = part { queries.note(answered: report.points.ids) }
            endQuery(part, nil, now)
        case nil: break
        }
    }

    /// A device whose data points are found out block by block is online when all are known.
    private mutating func succeedUnlessSearching(_ now: MonotonicTime) {
        if case .query(.listed)? = inFlight, queries.hasMoreOfDevice { return }
        succeed(now)
    }

    /// Compares a report with the set that is out.
    private mutating func confirm(
        _ set: PendingSet,
        _ progress: inout SetProgress,
        by report: StatusReport,
        _ now: MonotonicTime
    ) {
        var isWhole = true
        var touches = false
        for (id, value) in set.points where set.reported.contains(id) {
            guard let reported = report.points[id] else {
                isWhole = false
                continue
            }
            touches = true
            if !reported.isSameValue(as: value) { isWhole = false }
        }
        guard touches else { return }
        if isWhole, !progress.restIsDue {
            acknowledgementOwed = now + times.retryUnit
            endSet(set, .success(.confirmed), now)
        } else {
            progress.wasTouched = true
            inFlight = .set(set, progress)
        }
    }

    private mutating func acknowledged(_ now: MonotonicTime) {
        complaints = 0
        if let moment = acknowledgementOwed {
            // A set that a report had confirmed already; this is not the answer to the next one.
            acknowledgementOwed = nil
            if now < moment { return }
        }
        switch inFlight {
        case .set(let set, var progress)?:
            // The acknowledgement of the first part says nothing of the rest.
            guard !progress.restIsDue else { return }
            watchReports(of: set, now)
            guard !set.waitsForReport else {
                progress.wasTouched = true
                inFlight = .set(set, progress)
                answerDeadline = now + times.settle
                return
            }
            endSet(set, .success(.acknowledged), now)
        case .query(.listed)?:
            // The question and the set share a command; an empty answer is one to the question.
            emptyStatus(.controlNew, now)
        default: break
        }
    }

    private mutating func emptyStatus(_ command: Command, _ now: MonotonicTime) {
        guard command != .report else { return }
        complaints = 0
        succeedUnlessSearching(now)
        guard case .query(let part)? = inFlight else { return }
        if case .listed = part { queries.note(answered: []) }
        // A device that has nothing to tell may do so when asked to measure.
        if shared.settings.refresh != nil, part.child == nil { nextRefresh = now }
        endQuery(part, nil, now)
    }

    /// `json obj data unvalid`.
    private mutating func queryRefused(_ now: MonotonicTime) {
        switch inFlight {
        case .query(.plain(nil))? where shared.settings.dialect == .auto && queries.dialect == .plain:
            note(.debug, "the device wants its data points named")
            inFlight = nil
            queries.switchToListed()
            pump(now)
        case .query(.listed)? where queries.hasMoreOfDevice:
            inFlight = nil
            pump(now)
        case .query(let part)?:
            if part.child == nil { queries.giveUp() }
            succeed(now)
            endQuery(part, nil, now)
        case .set(let set, _)?:
            let text = "json obj data unvalid"
            let error = CommandError(.capabilityMissing, "The device refuses the command.", vendorCode: text)
            endSet(set, .failure(error), now)
        case nil: break
        }
    }

    /// `data format error` or `parse data error`.
    private mutating func complained(_ reply: DeviceReply, _ now: MonotonicTime) {
        complaints += 1
        lastError = reply.code
        if case .set(let set, _)? = inFlight {
            let error = CommandError(
                reply == .wrongKeyOrVersion ? .keyChanged : .unsupportedProtocol,
                "The device does not understand the command: its local key or its protocol version does not fit.",
                vendorCode: reply.code
            )
            endSet(set, .failure(error), now)
        }
        guard complaints >= Self.patience else {
            // Once more, a little later.
            if case .query? = inFlight { answerDeadline = now + times.retryUnit }
            return
        }
        if reply == .wrongKeyOrVersion {
            end(.keyRefused(.complaint), .negotiationFailed, now, because: reply.code)
        } else {
            refuseVersion(now, reply.code)
        }
    }

    private mutating func unparsable(_ command: Command, _ now: MonotonicTime) {
        counters.unparsable &+= 1
        if !loggedUnparsable {
            loggedUnparsable = true
            note(.warning, "the device sent what is no message", ["command": "\(command)"])
        }
        guard command != .report, case .query(let part)? = inFlight else { return }
        // A hub that cuts its answer short still answers for one child at a time.
        succeed(now)
        if part.child == nil { for child in children { queries.add(child: child) } }
        endQuery(part, nil, now)
    }
}
