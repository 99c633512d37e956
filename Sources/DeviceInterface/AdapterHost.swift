public import EventLoop
public import HomeModel
public import JSON

/// What the gateway offers to an adapter: where it reports and what it may ask for.
@Loop
public protocol AdapterHost: AnyObject {
    /// A device was found, or its description changed. `secrets` are kept sealed and given back at the next start.
    func deviceDescribed(_ description: DeviceDescription, secrets: Secrets?)

    /// A device is gone for good.
    func deviceRemoved(_ device: VendorID)

    /// A device said what its state is; partial, the latest wins.
    func deviceReported(_ report: StateReport)

    /// Something happened at a device.
    func deviceEvent(_ event: EventReport)

    /// A device came or went.
    func deviceConnectivity(_ device: VendorID, _ connectivity: Connectivity)

    /// How the adapter itself is.
    func statusChanged(_ status: AdapterStatus)

    /// A record for the gateway's log; no secrets.
    func log(_ record: AdapterLogRecord)

    /// Keeps a secret, sealed; with a device it is given back among that device's secrets.
    func storeSecret(_ value: String, name: String, device: VendorID?) async throws(CommandError)

    /// Reads a value that ``storeValue(_:key:)`` kept.
    func storedValue(key: String) async throws(CommandError) -> JSON?

    /// Keeps a small value (64 KiB at most) for this plugin; nil removes it.
    func storeValue(_ value: JSON?, key: String) async throws(CommandError)

    /// A pairing session went on, asks for something, or ended.
    func pairingProgressed(_ progress: PairingProgress)

    /// The networks that the gateway's radio sees, strongest first; takes seconds.
    ///
    /// - Throws: `capability_missing` where there is no radio, `device_busy`, `timeout`.
    func scanWiFi(for session: PairingID) async throws(CommandError) -> [WiFiSighting]

    /// Moves the gateway's radio to a network; returns with the address there.
    ///
    /// The gateway brings it back by ``leaveWiFi(for:)`` and, whatever happens, when the session ends.
    /// - Throws: `capability_missing`, `device_busy` while another session has the radio, `timeout`, `auth_failed`.
    func joinWiFi(_ join: WiFiJoin) async throws(CommandError) -> WiFiPlace

    /// Moves the radio back to where it was; returns when it is there. May come twice.
    func leaveWiFi(for session: PairingID) async throws(CommandError)
}
