internal import EventLoop
internal import Glibc
internal import JSON
internal import TuyaProtocol

extension TuyaLamp {
    /// Error texts as devices send them.
    private enum Text {
        static let queryNotSupported = "json obj data unvalid"
        static let formatError = "data format error"
        static let unknownDevice = "devid not found"
    }

    private var usesNewCommands: Bool { identity.version.negotiates }
    /// 3.1 to 3.3 send error texts as they are; newer ones encrypt whatever they send.
    private var sendsTextsInClear: Bool { !usesNewCommands }

    /// Does what a request asks for.
    func handle(_ request: LampRequest) {
        if let text = faults.errorText { return request.refuse(text, isClear: sendsTextsInClear) }
        switch request.command {
        case .query: answerQuery(request)
        case .queryNew where usesNewCommands: answerQuery(request)
        case .control: answerControl(request)
        case .controlNew: answerNewControl(request)
        case .refresh where habits.answersRefresh: answerRefresh(request)
        // Everything else is met with silence, as the vendor's SDK does.
        default: break
        }
    }

    // MARK: Queries

    private func answerQuery(_ request: LampRequest) {
        counts.queries += 1
        guard let object = (try? JSON.parse(request.body))?.objectValue else {
            return request.refuse(Text.formatError, isClear: sendsTextsInClear)
        }
        guard isForUs(object) else { return request.refuse(Text.unknownDevice, isClear: sendsTextsInClear) }
        guard habits.dialect == .normal else {
            return request.refuse(Text.queryNotSupported, isClear: sendsTextsInClear)
        }
        answerStatus(request, values)
    }

    private func answerStatus(_ request: LampRequest, _ values: DataPointValues) {
        let status = status(values)
        // From 3.4 on, tinytuya takes a header for granted in device22's answers.
        let isHeaded = habits.dialect == .device22 && usesNewCommands
        switch faults.statusAnswer {
        case nil: request.answer(status, isHeaded: isHeaded)
        case .empty: request.answer([], returnCode: 1)
        case .noPoints: request.answer(self.status([:]))
        case .nullPoints:
            request.answer(self.status(DataPointValues(values.entries.reduce(into: [:]) { $0[$1.id] = .null })))
        case .points(let ids): request.answer(self.status(values.limited(to: ids)))
        case .truncated(let count): request.answer([UInt8](status.prefix(count)))
        case .text(let text): request.refuse(text, isClear: sendsTextsInClear)
        }
        tell(.answered)
    }

    /// `{"devId":…,"dps":{…}}`, the other way round from 3.4 on.
    private func status(_ values: DataPointValues) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        if !usesNewCommands { write(&writer, "devId", identity.id) }
        writer.key("dps")
        values.write(to: &writer)
        if usesNewCommands { write(&writer, "devId", identity.id) }
        writer.endObject()
        return writer.bytes
    }

    // MARK: Controls

    /// 0x0D: a control from 3.4 on, the query of device22 everywhere.
    private func answerNewControl(_ request: LampRequest) {
        guard let object = (try? JSON.parse(request.body))?.objectValue else {
            return request.refuse(Text.formatError, isClear: sendsTextsInClear)
        }
        if let wanted = object["dps"]?.objectValue, object["data"] == nil {
            counts.queries += 1
            guard habits.dialect == .device22 else {
                return request.refuse(Text.queryNotSupported, isClear: sendsTextsInClear)
            }
            return answerStatus(request, values.limited(to: DataPointValues(wanted).ids))
        }
        guard usesNewCommands else { return request.refuse(Text.formatError, isClear: sendsTextsInClear) }
        control(request, object)
    }

    private func answerControl(_ request: LampRequest) {
        guard let object = (try? JSON.parse(request.body))?.objectValue else {
            return request.refuse(Text.formatError, isClear: sendsTextsInClear)
        }
        control(request, object)
    }

    private func control(_ request: LampRequest, _ object: JSONObject) {
        counts.sets += 1
        if faults.closesOnSet { return request.session.end(.fault) }
        let inner = usesNewCommands ? object["data"]?.objectValue : object
        guard let inner, let wanted = inner["dps"]?.objectValue else {
            return request.refuse(Text.formatError, isClear: sendsTextsInClear)
        }
        guard isForUs(inner) else {
            // The SDK says nothing about a foreign id beyond its usual answer; older devices have a text for it.
            if usesNewCommands { return request.answer([], returnCode: 1) }
            return request.refuse(Text.unknownDevice, isClear: true)
        }
        let accepted = faults.ignoresSets ? [:] : accepted(wanted)
        let before = values
        values.merge(accepted)
        if !accepted.isEmpty { onSet?(self, accepted, request.arrival) }
        tell(.set(accepted: accepted, at: request.arrival))
        if !faults.losesAcknowledgements {
            request.answer([], returnCode: faults.controlReturnCode ?? habits.controlReturnCode)
        }
        confirm(accepted, before: before)
        countdown.follow(accepted, of: self)
    }

    private func accepted(_ wanted: JSONObject) -> DataPointValues {
        var result = DataPointValues()
        for (name, value) in wanted {
            guard let id = Int(name), let point = product.point(id) else { continue }
            result[id] = point.accepted(value)
        }
        return result
    }

    /// Reports what a set changed.
    private func confirm(_ accepted: DataPointValues, before: DataPointValues) {
        var report = DataPointValues()
        for entry in accepted.entries where product.point(entry.id)?.transfer == .sendAndReport {
            if habits.reportsUnchanged || before[entry.id] != entry.value { report[entry.id] = entry.value }
        }
        guard !report.isEmpty else { return }
        push(report)
        guard let delay = faults.lateCopyDelay else { return }
        let old = before.limited(to: report.ids)
        let time = Int64(Glibc.time(nil))
        lateCopies.append(
            LoopTimer(after: delay) { [weak self] in
                self?.lateCopies.removeFirst()
                self?.push(old, time: time)
            }
        )
    }

    private func answerRefresh(_ request: LampRequest) {
        let ids = (try? JSON.parse(request.body))?["dpId"]?.arrayValue?.compactMap(\.intValue) ?? []
        request.answer([])
        let wanted = values.limited(to: ids)
        if !wanted.isEmpty { push(wanted) }
    }

    // MARK: Reports

    /// Sends a report to every session that has a key.
    func push(_ values: DataPointValues, time: Int64? = nil) {
        guard !faults.losesReports, !sessions.isEmpty else { return }
        let parts = faults.splitsReports ? values.entries.map { [$0.id: $0.value] as DataPointValues } : [values]
        for part in parts {
            let body = report(part, time: time ?? Int64(Glibc.time(nil)))
            for _ in 0..<(faults.repeatsReports ? 2 : 1) {
                serial &+= 1
                for session in sessions where session.isReady { session.push(body, serial: serial) }
            }
            counts.reports += 1
            tell(.reported(part))
        }
    }

    private func report(_ values: DataPointValues, time: Int64) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        if usesNewCommands {
            writer.key("protocol")
            writer.integer(4)
        } else {
            write(&writer, "devId", identity.id)
        }
        if usesNewCommands {
            writer.key("t")
            writer.integer(time)
            writer.key("data")
            writer.beginObject()
        }
        writer.key("dps")
        values.write(to: &writer)
        if usesNewCommands {
            write(&writer, "devId", identity.id)
            writer.endObject()
        } else {
            writer.key("t")
            writer.integer(time)
        }
        writer.endObject()
        return writer.bytes
    }

    private func write(_ writer: inout JSONWriter, _ key: String, _ value: String) {
        writer.key(key)
        writer.string(value)
    }

    /// Whether the ids in a request are this device's; a request without any is.
    private func isForUs(_ object: JSONObject) -> Bool {
        for name in ["devId", "gwId"] {
            if let id = object[name]?.stringValue, id != identity.id { return false }
        }
        return true
    }
}
