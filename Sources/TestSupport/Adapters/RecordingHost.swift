package import DeviceInterface
package import EventLoop
package import HomeModel
package import JSON

/// A gateway that keeps all that an adapter reports, and lets a test wait for it.
@Loop
package final class RecordingHost: AdapterHost {
    /// What an adapter reported.
    package enum Entry: Sendable {
        case described(DeviceDescription, Secrets?)
        case removed(VendorID)
        case state(StateReport)
        case event(EventReport)
        case connectivity(VendorID, Connectivity)
        case status(AdapterStatus)
        case log(AdapterLogRecord)
        case progress(PairingProgress)
    }

    /// All reports, in order.
    package private(set) var entries: [Entry] = []
    /// Secrets that were stored, by device (empty for none) and name.
    package private(set) var secrets: [String: [String: String]] = [:]
    /// What it answers to those who ask for Wi-Fi.
    package let radio: ScriptedRadio
    private var values: [String: JSON] = [:]
    private let fact = Fact()

    package init() {
        radio = ScriptedRadio(changed: { [fact] in fact.changed() })
    }

    // MARK: What tests ask

    /// Waits until something holds of the reports; it is looked at now and after each report.
    package func until(_ isMet: @escaping @Loop () -> Bool) async {
        await fact.until(isMet)
    }

    /// Forgets all reports.
    package func clear() { entries = [] }

    /// The descriptions, by device; the newest counts.
    package var descriptions: [VendorID: DeviceDescription] {
        var all: [VendorID: DeviceDescription] = [:]
        for case .described(let description, _) in entries { all[description.vendorID] = description }
        return all
    }

    /// The state reports of a device, in order.
    package func states(of device: VendorID) -> [StateReport] {
        entries.compactMap { if case .state(let report) = $0, report.device == device { report } else { nil } }
    }

    /// The newest value of each property of a device.
    package func merged(_ device: VendorID) -> JSONObject {
        var state = JSONObject()
        for report in states(of: device) { for (key, value) in report.state { state[key] = value } }
        return state
    }

    /// The newest connectivity of a device.
    package func connectivity(of device: VendorID) -> Connectivity? {
        for case .connectivity(device, let connectivity) in entries.reversed() { return connectivity }
        return nil
    }

    /// All events, in order.
    package var events: [EventReport] {
        entries.compactMap { if case .event(let report) = $0 { report } else { nil } }
    }

    /// All log records, in order.
    package var records: [AdapterLogRecord] {
        entries.compactMap { if case .log(let record) = $0 { record } else { nil } }
    }

    /// What was told of a pairing session, in order.
    package func progress(of session: PairingID) -> [PairingProgress] {
        entries.compactMap { entry in
            if case .progress(let progress) = entry, progress.session == session { progress } else { nil }
        }
    }

    /// Waits until something is told of a session that meets a condition, and returns the first such.
    package func progress(
        of session: PairingID,
        where isMet: @escaping @Loop (PairingProgress) -> Bool
    ) async -> PairingProgress? {
        await until { self.progress(of: session).contains(where: isMet) }
        return progress(of: session).first(where: isMet)
    }

    /// Waits until a session has ended, and returns its final state.
    package func end(of session: PairingID) async -> PairingProgress? {
        await progress(of: session) { $0.state.isFinal }
    }

    private func add(_ entry: Entry) {
        entries.append(entry)
        fact.changed()
    }

    // MARK: AdapterHost

    package func deviceDescribed(_ description: DeviceDescription, secrets: Secrets?) {
        add(.described(description, secrets))
    }
    package func deviceRemoved(_ device: VendorID) { add(.removed(device)) }
    package func deviceReported(_ report: StateReport) { add(.state(report)) }
    package func deviceEvent(_ event: EventReport) { add(.event(event)) }
    package func deviceConnectivity(_ device: VendorID, _ connectivity: Connectivity) {
        add(.connectivity(device, connectivity))
    }
    package func statusChanged(_ status: AdapterStatus) { add(.status(status)) }
    package func log(_ record: AdapterLogRecord) { add(.log(record)) }

    package func storeSecret(_ value: String, name: String, device: VendorID?) async throws(CommandError) {
        secrets[device?.text ?? "", default: [:]][name] = value
    }

    package func storedValue(key: String) async throws(CommandError) -> JSON? { values[key] }

    package func storeValue(_ value: JSON?, key: String) async throws(CommandError) { values[key] = value }

    package func pairingProgressed(_ progress: PairingProgress) { add(.progress(progress)) }

    package func scanWiFi(for session: PairingID) async throws(CommandError) -> [WiFiSighting] {
        try radio.scan(session)
    }

    package func joinWiFi(_ join: WiFiJoin) async throws(CommandError) -> WiFiPlace { try await radio.join(join) }

    package func leaveWiFi(for session: PairingID) async throws(CommandError) { radio.leave(session) }
}
