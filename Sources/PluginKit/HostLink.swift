import DeviceInterface
import EventLoop
import HomeModel
import JSON
import PluginWire

/// The gateway as an adapter sees it, at the other end of the plugin wire.
@Loop
final class HostLink: AdapterHost {
    private let outbox: Outbox
    private let calls: HostCalls
    private var sequence: Int64 = 0
    /// Devices that the gateway has been told of in this run.
    private var described: Set<VendorID> = []
    /// Pairing sessions that have not ended.
    private var sessions: Set<PairingID> = []

    init(outbox: Outbox, calls: HostCalls) {
        self.outbox = outbox
        self.calls = calls
    }

    func deviceDescribed(_ description: DeviceDescription, secrets: Secrets?) {
        let isNew = described.insert(description.vendorID).inserted
        outbox.send(.described(DescribedNote(description: description, secrets: secrets), isNew: isNew))
    }

    func deviceRemoved(_ device: VendorID) {
        described.remove(device)
        outbox.send(.removed(device))
    }

    func deviceReported(_ report: StateReport) {
        sequence += 1
        outbox.send(
            .state(StateNote(device: report.device, sequence: sequence, at: report.at, state: report.state))
        )
    }

    func deviceEvent(_ event: EventReport) {
        sequence += 1
        outbox.send(
            .event(
                EventNote(
                    device: event.device,
                    sequence: sequence,
                    at: event.at,
                    event: event.event,
                    data: event.data
                )
            )
        )
    }

    func deviceConnectivity(_ device: VendorID, _ connectivity: Connectivity) {
        outbox.send(.connectivity(ConnectivityNote(device: device, connectivity: connectivity)))
    }

    func statusChanged(_ status: AdapterStatus) {
        outbox.send(.status(StatusNote(state: status.state.rawValue, detail: status.detail)))
    }

    func log(_ record: AdapterLogRecord) {
        outbox.send(.log(LogNote(level: record.level, message: record.message, metadata: record.metadata)))
    }

    // MARK: Pairing

    /// Takes a session up, before the adapter hears of it.
    ///
    /// - Returns: whether it is a new one.
    func began(_ session: PairingID) -> Bool { sessions.insert(session).inserted }

    /// Lets nothing more of a session through.
    func ended(_ session: PairingID) { sessions.remove(session) }

    func pairingProgressed(_ progress: PairingProgress) {
        // A session has one end.
        guard sessions.contains(progress.session) else { return }
        let note = ProgressNote(progress).fitting
        if note.progress.state.isFinal { sessions.remove(progress.session) }
        outbox.send(.progress(note))
    }

    func scanWiFi(for session: PairingID) async throws(CommandError) -> [WiFiSighting] {
        let answer = try await calls.ask(.scanWiFi(session))
        return try read { () throws(WireFault) in try WiFiScanAnswer(json: answer).networks }
    }

    func joinWiFi(_ join: WiFiJoin) async throws(CommandError) -> WiFiPlace {
        let passphrase = join.passphrase.map(HiddenText.init)
        let answer = try await calls.ask(.joinWiFi(join.session, ssid: join.ssid, passphrase: passphrase))
        return try read { () throws(WireFault) in try WiFiJoinAnswer(json: answer).place }
    }

    func leaveWiFi(for session: PairingID) async throws(CommandError) {
        _ = try await calls.ask(.leaveWiFi(session))
    }

    private func read<Value>(_ decode: () throws(WireFault) -> Value) throws(CommandError) -> Value {
        do throws(WireFault) { return try decode() } catch { throw CommandError(.internal, "\(error)") }
    }

    // MARK: Storage

    func storeSecret(_ value: String, name: String, device: VendorID?) async throws(CommandError) {
        _ = try await calls.ask(.storeSecret(device: device, name: name, value: HiddenText(value)))
    }

    func storedValue(key: String) async throws(CommandError) -> JSON? {
        try await calls.ask(.storedValue(key: key))["value"]
    }

    func storeValue(_ value: JSON?, key: String) async throws(CommandError) {
        _ = try await calls.ask(.storeValue(key: key, value: value))
    }
}
