package import DeviceInterface
package import EventLoop
import HomeModel
import JSON
import PluginWire

/// Serves an adapter to the gateway over a pair of streams, until either side ends it.
@Loop
package final class PluginServer {
    /// How long an adapter may take to stop before the process ends without it.
    package static let stopDeadline = Duration.seconds(4)
    /// How long the last lines may take to be read.
    private static let drainDeadline = Duration.seconds(1)

    /// How far the gateway has got with us.
    private enum Phase {
        case fresh, initializing, initialized, ending, left
    }

    let adapter: any DeviceAdapter
    let identity: InitializeAnswer
    let outbox: Outbox
    let link: HostLink
    private let calls: HostCalls
    private let input: PipeConnection
    private let output: PipeConnection
    private let stopDeadline: Duration
    private var decoder = LineDecoder()
    private var phase = Phase.fresh
    /// Devices of `initialize/devices`, until `initialize` comes.
    private var earlierDevices: [WireDevice] = []
    /// Requests that are not answered yet; the task of those that have one.
    private var open: [WireID: Task<Void, Never>?] = [:]
    private var onEnd: (@Loop () -> Void)?
    /// Bounds the steps of the end.
    private var timer: LoopTimer?

    /// Makes a server that does nothing until ``serve()``.
    ///
    /// - Parameters:
    ///   - id: the plugin's id, and
    ///   - version: its version, for the answer to `initialize`.
    ///   - stopDeadline: how long the adapter may take to stop.
    package init(
        adapter: any DeviceAdapter,
        id: String,
        version: String,
        input: PipeConnection,
        output: PipeConnection,
        stopDeadline: Duration = PluginServer.stopDeadline
    ) {
        self.adapter = adapter
        identity = InitializeAnswer(version: 1, plugin: id, pluginVersion: version)
        self.input = input
        self.output = output
        self.stopDeadline = stopDeadline
        outbox = Outbox(stream: output)
        calls = HostCalls(outbox: outbox)
        link = HostLink(outbox: outbox, calls: calls)
    }

    /// Serves until `shutdown`, the end of the input, ``end()``, or a broken stream; then the adapter has been stopped.
    package func serve() async {
        await withCheckedContinuation { continuation in
            onEnd = { continuation.resume() }
            // Set by closures that do not hold the server, because the streams are held by it.
            output.onClose = { [weak self] _ in self?.end() }
            input.onClose = { [weak self] _ in self?.inputEnded() }
            input.onBytes = { [weak self] bytes in self?.receive(bytes) }
        }
    }

    /// Stops the adapter and ends ``serve()``, as the end of the input does; for SIGTERM.
    package func end() {
        finish(answering: nil)
    }

    private var isEnding: Bool { phase == .ending || phase == .left }

    /// Nobody answers our own requests any more, so that an adapter need not wait for that while it stops.
    private func inputEnded() {
        calls.close()
        end()
    }

    private func receive(_ bytes: [UInt8]) {
        decoder.append(bytes)
        do {
            // An adapter that is being stopped may still ask the gateway, for example to keep what it has learned.
            while phase != .left, let line = try decoder.next() { receive(line: line) }
        } catch {
            // Where the next line starts is not known, so there is nothing more to serve.
            outbox.send(line: WireMessage.failure(id: nil, error.failure).line)
            end()
        }
    }

    private func receive(line: ArraySlice<UInt8>) {
        let message: WireMessage
        do { message = try WireMessage(line: line) } catch {
            return outbox.send(line: WireMessage.failure(id: nil, error.failure).line)
        }
        switch message {
        case .request where isEnding:
            break
        case .request(let id, let method, let params):
            do { try take(GatewayCall(method: method, params: params), id) } catch { refuse(id, error) }
        case .notification(WireMethod.cancel.rawValue, let params):
            if let note = CancelNote(params: params) { cancel(note.id) }
        case .notification(WireMethod.wifiLost.rawValue, let params):
            guard phase == .initialized, let note = WiFiLostNote(params: params) else { break }
            adapter.wifiLost(note.session, ssid: note.ssid)
        case .notification:
            break
        case .response(let id, let result):
            calls.answered(id, .success(result))
        case .failure(let id, let failure):
            if let id { calls.answered(id, .failure(CommandError(failure))) }
        }
    }

    private func take(_ call: GatewayCall, _ id: WireID) throws(WireFailure) {
        guard open[id] == nil else {
            throw WireFailure(code: WireFailure.invalidRequest, message: "The id is in use by another request.")
        }
        switch call {
        case .ping: return answer(id, [:])
        case .shutdown: return finish(answering: id)
        case .initializeDevices(let call):
            try expect(.fresh, "The plugin is initialized already.")
            earlierDevices += call.devices
            return answer(id, [:])
        case .initialize(let call):
            try expect(.fresh, "The plugin is initialized already.")
            return initialize(call, id)
        default:
            try expect(.initialized, "The plugin is not initialized yet.")
            serve(call, id)
        }
    }

    private func expect(_ expected: Phase, _ problem: String) throws(WireFailure) {
        guard phase == expected else { throw WireFailure(code: WireFailure.invalidRequest, message: problem) }
    }

    private func initialize(_ call: InitializeCall, _ id: WireID) {
        guard let version = ProtocolRange.ours.best(with: call.protocols) else {
            let ours = ProtocolRange.ours.versions.map(String.init).joined(separator: ", ")
            return refuse(
                id,
                WireFailure(CommandError(.unsupportedProtocol, "This plugin speaks the protocol versions \(ours)."))
            )
        }
        phase = .initializing
        let setup = AdapterSetup(
            gatewayVersion: call.gateway,
            config: call.config,
            devices: (earlierDevices + call.devices).map(KnownDevice.init),
            secrets: call.secrets,
            stateDirectory: call.stateDirectory
        )
        perform(id) { [self] () async throws(CommandError) in
            do throws(CommandError) { try await adapter.initialize(setup, host: link) } catch {
                // What was told before stays, so that a corrected configuration can be sent.
                if phase == .initializing { phase = .fresh }
                throw error
            }
            earlierDevices = []
            if phase == .initializing { phase = .initialized }
            var answer = identity
            answer.version = version
            return answer.json
        }
    }

    // MARK: Answers

    /// Runs `body` now, up to its first suspension, and answers with what it returns.
    func perform(_ id: WireID, _ body: @escaping @Loop () async throws(CommandError) -> JSON) {
        open.updateValue(nil, forKey: id)
        let task = Task.immediate { @Loop in
            do throws(CommandError) {
                conclude(id, .success(try await body()))
            } catch {
                conclude(id, .failure(error))
            }
        }
        // Without a suspension it is answered by now.
        if open[id] != nil { open[id] = task }
    }

    /// Notes a request that a closure will answer by ``conclude(_:_:)``.
    func expectReply(_ id: WireID) {
        open.updateValue(nil, forKey: id)
    }

    /// Whether a request still waits for its answer; closes it.
    func close(_ id: WireID) -> Bool {
        open.removeValue(forKey: id) != nil
    }

    /// Answers a request, unless it was answered or cancelled before.
    func conclude(_ id: WireID, _ result: Result<JSON, CommandError>) {
        guard close(id) else { return }
        switch result {
        case .success(let value): answer(id, value)
        case .failure(let error): refuse(id, WireFailure(error))
        }
    }

    private func answer(_ id: WireID, _ result: JSON) {
        let line = WireMessage.response(id: id, result: result).line
        guard line.count <= LineDecoder.maxLineBytes else {
            return refuse(id, WireFailure(CommandError(.tooLarge, "The answer is longer than a line may be.")))
        }
        outbox.send(line: line)
    }

    func refuse(_ id: WireID, _ failure: WireFailure) {
        outbox.send(line: WireMessage.failure(id: id, failure).line)
    }

    private func cancel(_ id: WireID) {
        guard let task = open[id] else { return }
        if let task { return task.cancel() }
        open[id] = nil
        refuse(id, WireFailure(code: WireFailure.cancelled, message: "The request was cancelled."))
    }

    // MARK: The end

    private func finish(answering id: WireID?) {
        guard !isEnding else { return }
        let wasInitialized = phase == .initialized
        phase = .ending
        timer = LoopTimer(after: stopDeadline) { [weak self] in self?.leave(answering: id) }
        Task.immediate { @Loop in
            if wasInitialized { await adapter.stop() }
            leave(answering: id)
        }
    }

    /// Waits until the last lines are out, then ends ``serve()``.
    private func leave(answering id: WireID?) {
        guard phase == .ending else { return }
        phase = .left
        if let id { answer(id, [:]) }
        for case let task? in open.values { task.cancel() }
        calls.close()
        timer = LoopTimer(after: Self.drainDeadline) { [weak self] in self?.finishServing() }
        outbox.afterDrain { [weak self] in self?.finishServing() }
    }

    private func finishServing() {
        timer = nil
        let report = onEnd
        onEnd = nil
        report?()
    }
}

extension KnownDevice {
    /// Takes a device off the wire.
    init(_ device: WireDevice) {
        self.init(
            vendorID: device.vendorID,
            id: device.id,
            options: device.options,
            secrets: device.secrets,
            description: device.lastDescription
        )
    }
}
