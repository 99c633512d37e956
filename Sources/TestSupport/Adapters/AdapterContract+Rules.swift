import DeviceInterface
import EventLoop
import HomeModel
import JSON

@Loop
extension AdapterContract {
    private static let stranger = VendorID("no such device")

    func describesItsDevices(_ subject: Subject) throws(Breach) {
        let description = subject.host.descriptions[subject.device]
        try demand(description?.property(subject.property) != nil, "the device has no \(subject.property)")
        for (vendorID, description) in subject.host.descriptions {
            try demand(vendorID == description.vendorID, "a description under another id")
            let again = try? DeviceDescription(json: description.json)
            try demand(again == description, "the description of \(vendorID) does not survive the wire")
        }
    }

    func reportsOnlyWhatItDescribed(_ subject: Subject) async throws(Breach) {
        _ = await subject.adapter.write([subject.property: subject.values.0], to: subject.device)
        if let action = subject.action {
            _ = await subject.adapter.invoke(action.name, action.input, on: subject.device)
        }
        _ = await subject.adapter.read(subject.device)
        let descriptions = subject.host.descriptions
        for entry in subject.host.entries {
            switch entry {
            case .state(let report):
                guard let description = descriptions[report.device] else {
                    throw Breach(description: "\(rawValue): state of an unknown device \(report.device)")
                }
                for (key, _) in report.state {
                    try demand(description.property(key) != nil, "\(key) is not in the description")
                    try demand(description.property(key)?.access != .writeOnly, "\(key) is write-only and reported")
                }
            case .event(let report):
                let known = descriptions[report.device]?.event(report.event)
                try demand(known != nil, "the event \(report.event) is not in the description")
            case .connectivity(let device, let connectivity):
                try demand(descriptions[device] != nil, "connectivity of an unknown device \(device)")
                try demand(connectivity.isOnline || connectivity.reason != nil, "offline without a reason")
            default: break
            }
        }
    }

    func reportsWhatWasWritten(_ subject: Subject) async throws(Breach) {
        for wanted in [subject.values.0, subject.values.1, subject.values.0] {
            subject.host.clear()
            let result = await subject.adapter.write([subject.property: wanted], to: subject.device)
            let receipt = try value(result, "write")
            try demand(receipt.stage != .superseded, "one write at a time cannot be superseded")
            await subject.host.until { subject.host.merged(subject.device)[subject.property] == wanted }
        }
    }

    func readsBackWhatWasWritten(_ subject: Subject) async throws(Breach) {
        for wanted in [subject.values.1, subject.values.0] {
            _ = try value(await subject.adapter.write([subject.property: wanted], to: subject.device), "write")
            await subject.host.until { subject.host.merged(subject.device)[subject.property] == wanted }
            let read = try value(await subject.adapter.read(subject.device), "read")
            try demand(read.state[subject.property] == wanted, "read \(read.state[subject.property] ?? .null)")
            try demand(abs(read.at.milliseconds - Timestamp.wallClock.milliseconds) < 60_000, "the moment is not now")
            let one = try value(
                await subject.adapter.read(subject.device, properties: [subject.property]),
                "read of one property"
            )
            try demand(one.state[subject.property] == wanted, "the property asked for is missing")
        }
    }

    func keepsTheOrderOfWrites(_ subject: Subject) async throws(Breach) {
        subject.host.clear()
        let values = (0..<50).map { $0 % 2 == 0 ? subject.values.0 : subject.values.1 }
        var order: [Int] = []
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            for (number, value) in values.enumerated() {
                let request = WriteRequest(
                    device: subject.device,
                    values: [subject.property: value],
                    deadline: .seconds(20)
                )
                subject.adapter.write(request) { _ in
                    order.append(number)
                    if order.count == values.count { continuation.resume() }
                }
            }
        }
        try demand(order == Array(0..<50), "replies came in the order \(order)")
        let last = subject.values.1
        await subject.host.until { subject.host.merged(subject.device)[subject.property] == last }
        let read = try value(await subject.adapter.read(subject.device), "read")
        try demand(read.state[subject.property] == last, "the last write did not win")
    }

    func answersEveryCallOnce(_ subject: Subject) async throws(Breach) {
        var replies: [Int: Int] = [:]
        let devices = [subject.device, Self.stranger, subject.unreachable ?? Self.stranger]
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            for number in 0..<300 {
                let answered: @Loop () -> Void = {
                    replies[number, default: 0] += 1
                    if replies.count == 300, replies.values.reduce(0, +) == 300 { continuation.resume() }
                }
                let device = devices[number % 3]
                switch number % 2 {
                case 0:
                    let request = WriteRequest(
                        device: device,
                        values: [subject.property: subject.values.0],
                        deadline: .seconds(20)
                    )
                    subject.adapter.write(request) { _ in answered() }
                default:
                    subject.adapter.read(ReadRequest(device: device, deadline: .seconds(20))) { _ in answered() }
                }
            }
        }
        // Whatever came twice would have come before the answer to one more call.
        _ = await subject.adapter.read(subject.device)
        try demand(replies.values.allSatisfy { $0 == 1 }, "some calls were answered more than once")
    }

    func refusesUnknownDevices(_ subject: Subject) async throws(Breach) {
        let adapter = subject.adapter
        try demand(await adapter.read(Self.stranger), is: [.deviceNotFound])
        try demand(
            await adapter.write([subject.property: subject.values.0], to: Self.stranger),
            is: [.deviceNotFound]
        )
        try demand(await adapter.invoke("anything", on: Self.stranger), is: [.deviceNotFound])
    }

    func refusesUnreachableDevices(_ subject: Subject) async throws(Breach) {
        guard let device = subject.unreachable else { return }
        await subject.host.until { subject.host.connectivity(of: device)?.isOnline == false }
        let codes: Set<ErrorCode> = [.deviceOffline, .timeout, .keyChanged, .authFailed]
        try demand(await subject.adapter.write([subject.property: subject.values.0], to: device), is: codes)
        try demand(await subject.adapter.read(device), is: codes)
    }

    func refusesUnknownActions(_ subject: Subject) async throws(Breach) {
        try demand(
            await subject.adapter.invoke("no_such_action", on: subject.device),
            is: [.capabilityMissing, .badRequest]
        )
    }

    func invokesActions(_ subject: Subject) async throws(Breach) {
        guard let action = subject.action else { return }
        let output = try value(
            await subject.adapter.invoke(action.name, action.input, on: subject.device),
            "invoke \(action.name)"
        )
        try demand(output == action.output, "\(action.name) gave \(output)")
    }

    func givesDiagnostics(_ subject: Subject) async throws(Breach) {
        let facts = await subject.adapter.diagnostics()
        try demand(facts.objectValue != nil, "diagnostics are no object")
        let text = facts.text
        for case .described(_, let secrets?) in subject.host.entries {
            for (name, value) in secrets.exposed where text.contains(value) {
                try demand(false, "the secret \(name) is in the diagnostics")
            }
        }
    }

    func removesDevices(_ subject: Subject) async throws(Breach) {
        do throws(CommandError) { try await subject.adapter.remove(subject.device, unpair: false) } catch {
            throw Breach(description: "\(rawValue): remove: \(error.message)")
        }
        try demand(await subject.adapter.read(subject.device), is: [.deviceNotFound])
        do throws(CommandError) {
            try await subject.adapter.remove(subject.device, unpair: false)
        } catch {
            return try demand(error.code == .deviceNotFound, "removing it again gave \(error.code.rawValue)")
        }
        throw Breach(description: "\(rawValue): it could be removed twice")
    }

    func isSilentAfterStop(_ subject: Subject) async throws(Breach) {
        await subject.adapter.stop()
        subject.host.clear()
        let codes: Set<ErrorCode> = [.deviceOffline, .pluginDown]
        try demand(await subject.adapter.write([subject.property: subject.values.0], to: subject.device), is: codes)
        try demand(await subject.adapter.read(subject.device), is: codes)
        let reports = subject.host.entries.filter { entry in
            switch entry {
            case .state, .event, .connectivity, .described: true
            default: false
            }
        }
        try demand(reports.isEmpty, "\(reports.count) reports after stop")
    }
}
