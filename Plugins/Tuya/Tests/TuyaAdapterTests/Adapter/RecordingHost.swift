import DeviceInterface
import EventLoop
import HomeModel
import JSON

/// A gateway that keeps everything it is told, and lets tests wait for it.
@Loop
final class RecordingHost: AdapterHost {
    private struct Waiter {
        let id: Int
        let condition: @Loop (RecordingHost) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private(set) var descriptions: [VendorID: DeviceDescription] = [:]
    /// How many times each device was described.
    private(set) var describedCount: [VendorID: Int] = [:]
    private(set) var removed: [VendorID] = []
    private(set) var reports: [StateReport] = []
    /// Reported properties merged, as the hub does.
    private(set) var states: [VendorID: JSONObject] = [:]
    private(set) var connectivity: [VendorID: Connectivity] = [:]
    /// Every reason that a device was offline for, in order.
    private(set) var reasons: [VendorID: [Connectivity.Reason]] = [:]
    private(set) var statuses: [AdapterStatus] = []
    private(set) var records: [AdapterLogRecord] = []
    private(set) var onlineCount = 0
    var store: [String: JSON] = [:]
    /// Whether reports are kept, apart from the merged state.
    var keepsReports = true

    /// Secrets by device, as they were given along with descriptions and kept apart; under nil those of the plugin.
    private(set) var secrets: [VendorID?: [String: String]] = [:]
    /// What pairing sessions told, in order.
    private(set) var progress: [PairingProgress] = []
    /// The radio; nil where there is none.
    var radio: FakeRadio?

    private var waiters: [Waiter] = []
    private var nextID = 0

    func deviceDescribed(_ description: DeviceDescription, secrets: Secrets?) {
        descriptions[description.vendorID] = description
        describedCount[description.vendorID, default: 0] += 1
        if let secrets { self.secrets[description.vendorID, default: [:]].merge(secrets.exposed) { $1 } }
        check()
    }

    func deviceRemoved(_ device: VendorID) {
        removed.append(device)
        check()
    }

    func deviceReported(_ report: StateReport) {
        if keepsReports { reports.append(report) }
        for (key, value) in report.state { states[report.device, default: [:]][key] = value }
        check()
    }

    func deviceEvent(_ event: EventReport) {}

    func deviceConnectivity(_ device: VendorID, _ connectivity: Connectivity) {
        let wasOnline = self.connectivity[device]?.isOnline ?? false
        if wasOnline != connectivity.isOnline { onlineCount += connectivity.isOnline ? 1 : -1 }
        self.connectivity[device] = connectivity
        if let reason = connectivity.reason { reasons[device, default: []].append(reason) }
        check()
    }

    func statusChanged(_ status: AdapterStatus) {
        statuses.append(status)
        check()
    }

    func log(_ record: AdapterLogRecord) {
        records.append(record)
        check()
    }

    func storeSecret(_ value: String, name: String, device: VendorID?) async throws(CommandError) {
        secrets[device, default: [:]][name] = value
        check()
    }

    func pairingProgressed(_ progress: PairingProgress) {
        self.progress.append(progress)
        check()
    }

    func scanWiFi(for session: PairingID) async throws(CommandError) -> [WiFiSighting] {
        guard let radio else { throw CommandError(.capabilityMissing, "There is no radio.") }
        return radio.air()
    }

    func joinWiFi(_ join: WiFiJoin) async throws(CommandError) -> WiFiPlace {
        guard let radio else { throw CommandError(.capabilityMissing, "There is no radio.") }
        return try await radio.join(join.ssid)
    }

    func leaveWiFi(for session: PairingID) async throws(CommandError) {
        await radio?.leave()
        check()
    }

    /// Looks again at what is waited for.
    func changed() { check() }

    func storedValue(key: String) async throws(CommandError) -> JSON? { store[key] }

    func storeValue(_ value: JSON?, key: String) async throws(CommandError) {
        store[key] = value
        check()
    }

    // MARK: Waiting

    /// Waits until `condition` holds, looked at whenever something is told; returns early where the task is cancelled.
    func until(_ condition: @escaping @Loop (RecordingHost) -> Bool) async {
        if condition(self) { return }
        nextID += 1
        let id = nextID
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled { return continuation.resume() }
                waiters.append(Waiter(id: id, condition: condition, continuation: continuation))
            }
        } onCancel: {
            Loop.post { self.cancel(id) }
        }
    }

    func untilOnline(_ id: VendorID) async { await until { $0.connectivity[id]?.isOnline == true } }

    func until(_ id: VendorID, is reason: Connectivity.Reason) async {
        await until { $0.connectivity[id]?.reason == reason }
    }

    /// Waits until a device's merged state holds these values.
    func until(_ id: VendorID, shows values: JSONObject) async {
        await until { host in values.allSatisfy { host.states[id]?[$0.key] == $0.value } }
    }

    private func check() {
        guard !waiters.isEmpty else { return }
        var left: [Waiter] = []
        for waiter in waiters {
            if waiter.condition(self) { waiter.continuation.resume() } else { left.append(waiter) }
        }
        waiters = left
    }

    private func cancel(_ id: Int) {
        guard let index = waiters.firstIndex(where: { $0.id == id }) else { return }
        waiters.remove(at: index).continuation.resume()
    }
}
