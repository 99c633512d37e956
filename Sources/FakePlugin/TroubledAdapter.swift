import DeviceInterface
import EventLoop
import HomeModel
import JSON
import TestSupport

/// Passes everything on to an adapter, but for the action `trouble`, and for what the configuration says:
/// `"trouble_at": {"initialize": …, "start": …, "write": …}`, each an input of the action.
@Loop
final class TroubledAdapter: DeviceAdapter {
    private let adapter: any DeviceAdapter
    private let trouble: Trouble
    private var host: (any AdapterHost)?
    private var setup: AdapterSetup?

    init(_ adapter: any DeviceAdapter, trouble: Trouble) {
        self.adapter = adapter
        self.trouble = trouble
    }

    func initialize(_ setup: AdapterSetup, host: any AdapterHost) async throws(CommandError) {
        self.setup = setup
        self.host = host
        configured("initialize")
        try await adapter.initialize(setup, host: host)
    }

    func start() async throws(CommandError) {
        configured("start")
        try await adapter.start()
    }

    func stop() async {
        configured("stop")
        await adapter.stop()
    }

    func read(_ request: ReadRequest, reply: @escaping Reply<ReadResult>) { adapter.read(request, reply: reply) }

    func write(_ request: WriteRequest, reply: @escaping Reply<WriteReceipt>) {
        configured("write")
        adapter.write(request, reply: reply)
    }

    func invoke(_ request: InvokeRequest, reply: @escaping Reply<JSON>) {
        guard request.action == "trouble" else { return adapter.invoke(request, reply: reply) }
        trouble.make(request.input, host: host, setup: setup, reply: reply)
    }

    func remove(_ device: VendorID, unpair: Bool) async throws(CommandError) {
        try await adapter.remove(device, unpair: unpair)
    }

    func configure(_ change: ConfigurationChange) async throws(CommandError) -> ConfigurationResult {
        try await adapter.configure(change)
    }

    func diagnostics() async -> JSON { await adapter.diagnostics() }

    func startPairing(_ start: PairingStart) async throws(CommandError) { try await adapter.startPairing(start) }

    func answerPairing(_ session: PairingID, input: JSONObject) async throws(CommandError) {
        try await adapter.answerPairing(session, input: input)
    }

    func cancelPairing(_ session: PairingID) async { await adapter.cancelPairing(session) }

    func wifiLost(_ session: PairingID, ssid: String) { adapter.wifiLost(session, ssid: ssid) }

    private func configured(_ moment: String) {
        guard let input = setup?.config["trouble_at"]?[moment] else { return }
        trouble.make(input, host: host, setup: setup) { _ in }
    }
}
