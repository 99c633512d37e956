import DeviceInterface
import EventLoop
package import HomeModel
package import JSON
import Log

extension Hub {
    /// Carries out a `set`.
    ///
    /// All properties are checked first and written as one unit. While a write to the device is under way only the newest
    /// value of each property waits. The answer says how far it got: `confirmed` where the device reported the values,
    /// `acknowledged` where it only acknowledged them, or an error.
    /// - Parameter source: who asks, such as `mqtt/homeassistant`; kept with the command.
    package func set(
        _ id: DeviceID,
        _ payload: JSONObject,
        source: String,
        reply: @escaping @Loop (CommandAnswer) -> Void
    ) {
        guard let device = directory[id] else {
            reply(.failed(.unknownDevice(id.text)))
            return
        }
        let command: DeviceCommand
        do throws(CommandError) {
            // What was never reached is not described yet: that it is away says more than that it has no such property.
            if device.description.properties.isEmpty { try checkReachable(device) }
            command = try DeviceCommand(payload, for: device.description)
            try checkReachable(device)
        } catch {
            trace(device, payload, source: source, outcome: error.code.rawValue)
            reply(.failed(error))
            return
        }
        let pending = PendingCommand(command: command, source: source, at: clock(), reply: reply)
        switch device.lane.add(command.values, pending) {
        case .send:
            write(command.values, [pending], to: device)
        case .wait(let superseded):
            for command in superseded {
                answer(
                    command,
                    at: device,
                    .written(stage: .superseded, applied: [:], ignored: command.command.ignored)
                )
            }
        case .refuse:
            answer(pending, at: device, .failed(CommandError(.deviceBusy, "Too many commands wait for this device.")))
        }
    }

    /// Asks a device for its state; the answer is the whole merged state.
    package func get(
        _ id: DeviceID,
        properties: [String]?,
        reply: @escaping @Loop (CommandAnswer) -> Void
    ) {
        do throws(CommandError) {
            guard let device = directory[id] else { throw .unknownDevice(id.text) }
            if device.description.properties.isEmpty { try checkReachable(device) }
            if let name = properties?.first(where: { device.description.property($0) == nil }) {
                throw CommandError(.propertyUnknown, "The device has no property \"\(name.prefix(64))\".")
            }
            let adapter = try reachableAdapter(device)
            let request = ReadRequest(device: device.record.vendorID, properties: properties, deadline: timing.read)
            adapter.read(request) { [self] result in
                switch result {
                case .success(let read):
                    merge(read.state, at: read.at, into: device)
                    tell { $0.stateChanged(device) }
                    reply(.state(device.stateJSON))
                case .failure(let error):
                    reply(.failed(error))
                }
            }
        } catch {
            reply(.failed(error))
        }
    }

    /// Asks a device to do something.
    package func invoke(
        _ id: DeviceID,
        action name: String,
        input: JSON,
        source: String,
        reply: @escaping @Loop (CommandAnswer) -> Void
    ) {
        do throws(CommandError) {
            guard let device = directory[id] else { throw .unknownDevice(id.text) }
            guard let action = device.description.action(name) else {
                let known = device.description.actions.map(\.name).joined(separator: ", ")
                throw CommandError(
                    .capabilityMissing,
                    "The device has no action \"\(name.prefix(64))\".",
                    hint: known.isEmpty ? "It has no actions." : "Actions: \(known)."
                )
            }
            let checked = try action.input?.validate(input, at: "input") ?? .null
            let adapter = try reachableAdapter(device)
            let request = InvokeRequest(
                device: device.record.vendorID,
                action: name,
                input: checked,
                deadline: .milliseconds(action.deadlineMs)
            )
            adapter.invoke(request) { [self] result in
                let answer: CommandAnswer =
                    switch result {
                    case .success(let output): .output(output)
                    case .failure(let error): .failed(error)
                    }
                trace(device, ["action": .string(name)], source: source, outcome: answer.outcome)
                reply(answer)
            }
        } catch {
            reply(.failed(error))
        }
    }

    // MARK: - Writing

    private func write(_ values: JSONObject, _ commands: [PendingCommand], to device: Device) {
        guard let adapter = plugins?.adapter(for: device.record.plugin) else {
            finished(.failure(.pluginDown(device.record.plugin)), values, commands, device)
            return
        }
        let request = WriteRequest(device: device.record.vendorID, values: values, deadline: timing.write)
        adapter.write(request) { [self] result in finished(result, values, commands, device) }
    }

    private func finished(
        _ result: Result<WriteReceipt, CommandError>,
        _ values: JSONObject,
        _ commands: [PendingCommand],
        _ device: Device
    ) {
        switch result {
        case .failure(let error): fail(commands, at: device, with: error)
        case .success(let receipt): acknowledged(receipt.stage, values, commands, device)
        }
        guard let next = device.lane.finish() else { return }
        write(next.values, next.commands.map(\.command), to: device)
    }

    private func acknowledged(
        _ stage: CommandStage,
        _ values: JSONObject,
        _ commands: [PendingCommand],
        _ device: Device
    ) {
        var expected = values
        for (key, _) in values where device.state[key] == nil { expected[key] = nil }
        let confirmation = Confirmation(expected: expected, commands: commands, stage: stage)
        if stage == .confirmed {
            answer(confirmation, at: device, stage: .confirmed)
        } else if expected.isEmpty {
            // Nothing that the device ever reports: its acknowledgement is all there is.
            giveUp(device, confirmation)
        } else if device.source == .reported, confirmation.isMet(by: device.state) {
            answer(confirmation, at: device, stage: .confirmed)
        } else {
            device.unconfirmed.append(confirmation)
            assumptions.add((device, confirmation))
            confirmations.add((device, confirmation))
        }
    }

    /// Answers the commands whose values the device has now reported.
    func answerConfirmed(_ device: Device) {
        let met = device.unconfirmed.filter { $0.isMet(by: device.state) }
        guard !met.isEmpty else { return }
        device.unconfirmed.removeAll { confirmation in met.contains { $0 === confirmation } }
        for confirmation in met { answer(confirmation, at: device, stage: .confirmed) }
    }

    /// The device did not report the values in time: the answer says how far the command got.
    func giveUp(_ device: Device, _ confirmation: Confirmation) {
        guard !confirmation.isDone else { return }
        device.unconfirmed.removeAll { $0 === confirmation }
        guard confirmation.stage != .sent else {
            confirmation.isDone = true
            fail(
                confirmation.commands,
                at: device,
                with: CommandError(
                    .timeout,
                    "The command was sent; the device neither acknowledged it nor reported the values."
                )
            )
            return
        }
        answer(confirmation, at: device, stage: confirmation.stage)
    }

    private func answer(_ confirmation: Confirmation, at device: Device, stage: CommandStage) {
        confirmation.isDone = true
        for pending in confirmation.commands {
            let command = pending.command
            answer(pending, at: device, .written(stage: stage, applied: command.values, ignored: command.ignored))
        }
    }

    func fail(_ commands: [PendingCommand], at device: Device, with error: CommandError) {
        for command in commands { answer(command, at: device, .failed(error)) }
    }

    private func answer(_ pending: PendingCommand, at device: Device, _ answer: CommandAnswer) {
        let trace = CommandTrace(
            device: device.id,
            at: pending.at,
            source: pending.source,
            request: .object(pending.command.values),
            outcome: answer.outcome
        )
        store.note(.command(trace))
        pending.reply(answer)
    }

    private func trace(_ device: Device, _ request: JSONObject, source: String, outcome: String) {
        store.note(
            .command(
                CommandTrace(
                    device: device.id,
                    at: clock(),
                    source: source,
                    request: .object(request),
                    outcome: outcome
                )
            )
        )
    }

    // MARK: - Reachability

    private func reachableAdapter(_ device: Device) throws(CommandError) -> any DeviceAdapter {
        try checkReachable(device)
        guard let adapter = plugins?.adapter(for: device.record.plugin) else { throw .pluginDown(device.record.plugin) }
        return adapter
    }

    /// Refuses at once what cannot arrive.
    private func checkReachable(_ device: Device) throws(CommandError) {
        let connectivity = device.connectivity
        guard !connectivity.isOnline else { return }
        let detail = connectivity.detail
        switch connectivity.reason {
        case .pluginDown:
            throw .pluginDown(device.record.plugin)
        case .keyChanged:
            throw CommandError(
                .keyChanged,
                detail ?? "The device refuses the local key.",
                hint: "It was paired again or the key was mistyped: set the new key, or pair it with this gateway."
            )
        case .heldByOtherClient:
            throw CommandError(
                .deviceBusy,
                detail ?? "The device's connections are taken.",
                hint: "Close the vendor's app and other programs that talk to it."
            )
        case .unsupportedProtocol:
            throw CommandError(
                .unsupportedProtocol,
                detail ?? "The device speaks a protocol version that is not known."
            )
        default:
            let reason = connectivity.reason.map { " (\($0.rawValue))" } ?? ""
            throw CommandError(.deviceOffline, detail ?? "The device is offline\(reason).")
        }
    }
}

extension CommandError {
    /// There is no such device.
    package static func unknownDevice(_ id: String) -> CommandError {
        CommandError(
            .deviceNotFound,
            "No device with id \(id.prefix(64)).",
            hint: "List ids with request devices/list."
        )
    }

    /// The plugin of a device does not run.
    package static func pluginDown(_ plugin: PluginID) -> CommandError {
        CommandError(
            .pluginDown,
            "The plugin \(plugin.text) is not running.",
            hint: "See lintel plugin logs \(plugin.text)."
        )
    }
}
