import DeviceInterface
import EventLoop
import HomeModel
import JSON
import PluginWire

extension PluginServer {
    /// Gives a request of an initialized plugin to the adapter.
    func serve(_ call: GatewayCall, _ id: WireID) {
        switch call {
        case .write(let call): write(call, id)
        case .read(let call): read(call, id)
        case .invoke(let call): invoke(call, id)
        case .start:
            perform(id) { [adapter] () async throws(CommandError) in
                try await adapter.start()
                return [:]
            }
        case .stop:
            perform(id) { [adapter] () async throws(CommandError) in
                await adapter.stop()
                return [:]
            }
        case .remove(let call):
            perform(id) { [adapter] () async throws(CommandError) in
                try await adapter.remove(call.device, unpair: call.unpair)
                return [:]
            }
        case .configure(let call):
            let change = ConfigurationChange(config: call.config, device: call.device, options: call.options)
            perform(id) { [adapter] () async throws(CommandError) in
                let result = try await adapter.configure(change)
                return ConfigureAnswer(needsRestart: result.needsRestart).json
            }
        case .pairingStart(let call): startPairing(call, id)
        case .pairingAnswer(let call):
            perform(id) { [adapter] () async throws(CommandError) in
                try await adapter.answerPairing(call.session, input: call.input.exposed)
                return [:]
            }
        case .pairingCancel(let session):
            perform(id) { [adapter, link] () async throws(CommandError) in
                await adapter.cancelPairing(session)
                link.ended(session)
                return [:]
            }
        case .diagnostics:
            perform(id) { [adapter] () async throws(CommandError) in await adapter.diagnostics() }
        case .initialize, .initializeDevices, .ping, .shutdown:
            preconditionFailure("answered before it is asked whether the plugin is initialized")
        }
    }

    private func startPairing(_ call: PairingStartCall, _ id: WireID) {
        let start = PairingStart(
            session: call.session,
            method: call.method,
            home: call.home,
            from: call.from,
            input: call.input.exposed
        )
        perform(id) { [adapter, link] () async throws(CommandError) in
            guard link.began(start.session) else {
                throw CommandError(.badRequest, "There is a session \(start.session) already.")
            }
            do throws(CommandError) { try await adapter.startPairing(start) } catch {
                link.ended(start.session)
                throw error
            }
            return [:]
        }
    }

    private func write(_ call: WriteCall, _ id: WireID) {
        expectReply(id)
        adapter.write(WriteRequest(device: call.device, values: call.values, deadline: call.deadline)) {
            [self] result in
            guard close(id) else { return }
            switch result {
            case .success(let receipt): outbox.send(line: WriteAnswer(stage: receipt.stage).line(id: id))
            case .failure(let error): refuse(id, WireFailure(error))
            }
        }
    }

    private func read(_ call: ReadCall, _ id: WireID) {
        expectReply(id)
        let request = ReadRequest(device: call.device, properties: call.properties, deadline: call.deadline)
        adapter.read(request) { [self] result in
            conclude(id, result.map { ReadAnswer(state: $0.state, at: $0.at).json })
        }
    }

    private func invoke(_ call: InvokeCall, _ id: WireID) {
        expectReply(id)
        let request = InvokeRequest(
            device: call.device,
            action: call.action,
            input: call.input,
            deadline: call.deadline
        )
        adapter.invoke(request) { [self] result in conclude(id, result) }
    }
}
