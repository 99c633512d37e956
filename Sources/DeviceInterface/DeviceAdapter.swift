public import EventLoop
public import HomeModel
public import JSON

/// Answers one call, exactly once, on the loop.
public typealias Reply<Value> = @Loop (Result<Value, CommandError>) -> Void

/// One vendor's devices behind the interface that all vendors share.
///
/// Inside a plugin the vendor's code implements it; in the gateway `RemoteAdapter` does, and sends each call over the plugin
/// wire. All calls come on the loop and must return at once. Calls for one device arrive in order.
@Loop
public protocol DeviceAdapter: AnyObject {
    /// Takes configuration and known devices, without touching the network.
    ///
    /// - Throws: `invalid_config` with the key path in its message.
    func initialize(_ setup: AdapterSetup, host: any AdapterHost) async throws(CommandError)

    /// Connects to the world; devices are reported to the host as they are found. Returns when it is under way.
    func start() async throws(CommandError)

    /// Leaves the world: connections closed, nothing more reported.
    func stop() async

    /// Asks a device for its state now.
    func read(_ request: ReadRequest, reply: @escaping Reply<ReadResult>)

    /// Writes properties; their new values arrive as a state report.
    func write(_ request: WriteRequest, reply: @escaping Reply<WriteReceipt>)

    /// Asks a device to do something; the answer is the action's output, `null` where it has none.
    func invoke(_ request: InvokeRequest, reply: @escaping Reply<JSON>)

    /// Forgets a device; with `unpair` the device forgets us, too.
    func remove(_ device: VendorID, unpair: Bool) async throws(CommandError)

    /// Takes a changed configuration, or options of a device, without a restart where it can.
    func configure(_ change: ConfigurationChange) async throws(CommandError) -> ConfigurationResult

    /// Facts for a report, without secrets.
    func diagnostics() async -> JSON

    /// Begins a pairing session; returns when it is under way. Everything after is told to
    /// ``AdapterHost/pairingProgressed(_:)``, the last of it a final state.
    ///
    /// - Throws: `bad_request`, `capability_missing` for an unknown method, `device_busy`.
    func startPairing(_ start: PairingStart) async throws(CommandError)

    /// Gives what a session asked for, checked against its form; may hold secrets.
    ///
    /// - Throws: `bad_request` where the session asked for nothing or does not exist.
    func answerPairing(_ session: PairingID, input: JSONObject) async throws(CommandError)

    /// Ends a session: everything it opened is closed on return, and nothing more is told of it. May come twice.
    func cancelPairing(_ session: PairingID) async

    /// The network that a session joined is gone.
    func wifiLost(_ session: PairingID, ssid: String)
}
