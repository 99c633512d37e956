import DeviceInterface
import EventLoop
import HomeModel
import JSON

/// Does the least that an adapter can do.
@Loop
final class StubAdapter: DeviceAdapter {
    var host: (any AdapterHost)?
    var known: [String] = []
    var secrets = Secrets()
    /// Starts, answers and lost networks of pairing sessions, as they came.
    var starts: [PairingStart] = []
    var answers: [(session: PairingID, input: JSONObject)] = []
    var lost: [(session: PairingID, ssid: String)] = []
    /// What a session does when it is started and cancelled, besides being noted.
    var onStart: (@Loop (PairingStart) throws(CommandError) -> Void)?
    var onCancel: (@Loop (PairingID) -> Void)?
    var stops = 0
    var holdsWrites = false
    /// Whether it keeps something while it stops, and whether that went well.
    var storesAtStop = false
    var hasStored: Bool?
    var held: [Reply<WriteReceipt>] = []

    func initialize(_ setup: AdapterSetup, host: any AdapterHost) async throws(CommandError) {
        self.host = host
        known = setup.devices.map(\.vendorID.text)
        secrets = setup.secrets
    }

    func start() async throws(CommandError) {}
    func stop() async {
        stops += 1
        guard storesAtStop, let host else { return }
        do throws(CommandError) {
            try await host.storeValue(1, key: "k")
            hasStored = true
        } catch {
            hasStored = false
        }
    }
    func read(_ request: ReadRequest, reply: @escaping Reply<ReadResult>) {
        reply(.success(ReadResult(state: JSONObject(), at: Timestamp(milliseconds: 0))))
    }
    func write(_ request: WriteRequest, reply: @escaping Reply<WriteReceipt>) {
        if holdsWrites { held.append(reply) } else { reply(.success(WriteReceipt(stage: .acknowledged))) }
    }
    func invoke(_ request: InvokeRequest, reply: @escaping Reply<JSON>) { reply(.success(request.input)) }
    func remove(_ device: VendorID, unpair: Bool) async throws(CommandError) {}
    func configure(_ change: ConfigurationChange) async throws(CommandError) -> ConfigurationResult {
        ConfigurationResult(needsRestart: false)
    }
    func diagnostics() async -> JSON { [:] }

    func startPairing(_ start: PairingStart) async throws(CommandError) {
        starts.append(start)
        try onStart?(start)
    }
    func answerPairing(_ session: PairingID, input: JSONObject) async throws(CommandError) {
        answers.append((session, input))
    }
    func cancelPairing(_ session: PairingID) async { onCancel?(session) }
    func wifiLost(_ session: PairingID, ssid: String) { lost.append((session, ssid)) }
}
