package import DeviceInterface
package import EventLoop
package import HomeModel
package import JSON
import PluginWire

/// A plugin's adapter at the gateway's end of the plugin wire; lives as long as the plugin is known, over its restarts.
///
/// While the plugin is not running every call answers `plugin_down`.
@Loop
package final class RemoteAdapter: DeviceAdapter {
    /// How long the calls may take that have no deadline of their own.
    package struct Deadlines: Sendable {
        package var initialize = Duration.seconds(10)
        package var start = Duration.seconds(10)
        package var stop = Duration.seconds(5)
        package var remove = Duration.seconds(15)
        package var configure = Duration.seconds(10)
        package var pairing = Duration.seconds(10)
        package var diagnostics = Duration.seconds(5)

        package init() {}
    }

    private let plugin: PluginID
    let recorder: FlightRecorder
    let deadlines: Deadlines
    /// The ways of pairing that the manifest lists.
    let methods: [PairingMethod]
    private(set) var connection: PluginConnection?
    private var host: (any AdapterHost)?
    /// Why there is no connection.
    private var absence: CommandError
    /// What pairing sessions ask for; only of those that were begun, since a plugin may tell of any number.
    var questions: [PairingID: InputForm?] = [:]
    /// What the plugin said of itself at its last `initialize`.
    private(set) var identity: InitializeAnswer?
    /// Called besides the host when the plugin says how it is.
    var onStatus: (@Loop (AdapterStatus) -> Void)?

    /// Makes an adapter without a connection.
    package init(
        plugin: PluginID,
        recorder: FlightRecorder,
        methods: [PairingMethod] = [],
        deadlines: Deadlines = Deadlines()
    ) {
        self.plugin = plugin
        self.recorder = recorder
        self.methods = methods
        self.deadlines = deadlines
        absence = Self.down(plugin, "has not been started")
    }

    /// The error of calls to a plugin that is not running.
    static func down(_ plugin: PluginID, _ why: String) -> CommandError {
        CommandError(.pluginDown, "The plugin \(plugin) \(why).", hint: "See: plugin logs \(plugin).")
    }

    /// Takes a fresh connection; the plugin behind it is not initialized yet.
    package func attach(_ connection: PluginConnection) {
        self.connection = connection
        connection.onNote = { [weak self] note in self?.take(note) }
        connection.onCall = { [weak self] (call: PluginCall) async throws(CommandError) in
            guard let self else { return [:] }
            return try await self.answer(call)
        }
    }

    /// Forgets the connection; every call answers `reason` until the next one.
    package func detach(because reason: CommandError) {
        absence = reason
        connection?.close(because: reason)
        connection = nil
        questions = [:]
    }

    // MARK: DeviceAdapter

    package func initialize(_ setup: AdapterSetup, host: any AdapterHost) async throws(CommandError) {
        self.host = host
        recorder.learn(from: setup.config)
        recorder.learn(setup.secrets)
        for device in setup.devices {
            recorder.learn(device.secrets)
            recorder.learn(from: .object(device.options))
        }
        let devices = setup.devices.map(WireDevice.init)
        let (earlier, last) = DevicesCall.parts(of: devices)
        for part in earlier { _ = try await ask(.initializeDevices(part), within: deadlines.initialize) }
        let call = InitializeCall(
            gateway: setup.gatewayVersion,
            config: setup.config,
            devices: last,
            secrets: setup.secrets,
            stateDirectory: setup.stateDirectory
        )
        let answer = try await ask(.initialize(call), within: deadlines.initialize)
        let identity = try read { () throws(WireFault) in try InitializeAnswer(json: answer) }
        guard ProtocolRange.ours.versions.contains(identity.version) else {
            throw CommandError(.unsupportedProtocol, "The plugin chose protocol version \(identity.version).")
        }
        self.identity = identity
    }

    package func start() async throws(CommandError) {
        _ = try await ask(.start, within: deadlines.start)
    }

    package func stop() async {
        _ = try? await ask(.stop, within: deadlines.stop)
    }

    package func read(_ request: ReadRequest, reply: @escaping Reply<ReadResult>) {
        let call = ReadCall(device: request.device, properties: request.properties, deadline: request.deadline)
        ask(.read(call), within: request.deadline) { result in
            reply(
                result.decoded { (json) throws(WireFault) in
                    let answer = try ReadAnswer(json: json)
                    return ReadResult(state: answer.state, at: answer.at)
                }
            )
        }
    }

    package func write(_ request: WriteRequest, reply: @escaping Reply<WriteReceipt>) {
        let call = WriteCall(device: request.device, values: request.values, deadline: request.deadline)
        ask(.write(call), within: request.deadline) { result in
            reply(
                result.decoded { (json) throws(WireFault) in WriteReceipt(stage: try WriteAnswer(json: json).stage) }
            )
        }
    }

    package func invoke(_ request: InvokeRequest, reply: @escaping Reply<JSON>) {
        let call = InvokeCall(
            device: request.device,
            action: request.action,
            input: request.input,
            deadline: request.deadline
        )
        ask(.invoke(call), within: request.deadline, completion: reply)
    }

    package func remove(_ device: VendorID, unpair: Bool) async throws(CommandError) {
        _ = try await ask(.remove(RemoveCall(device: device, unpair: unpair)), within: deadlines.remove)
    }

    package func configure(_ change: ConfigurationChange) async throws(CommandError) -> ConfigurationResult {
        if let config = change.config { recorder.learn(from: config) }
        if let options = change.options { recorder.learn(from: .object(options)) }
        let call = ConfigureCall(config: change.config, device: change.device, options: change.options)
        let answer = try await ask(.configure(call), within: deadlines.configure)
        let result = try read { () throws(WireFault) in try ConfigureAnswer(json: answer) }
        return ConfigurationResult(needsRestart: result.needsRestart)
    }

    package func diagnostics() async -> JSON {
        do throws(CommandError) {
            return try await ask(.diagnostics, within: deadlines.diagnostics)
        } catch {
            return ["error": error.json]
        }
    }

    private func ask(
        _ call: GatewayCall,
        within deadline: Duration,
        completion: @escaping @Loop (Result<JSON, CommandError>) -> Void
    ) {
        guard let connection else { return completion(.failure(absence)) }
        connection.call(call, within: deadline, completion: completion)
    }

    func ask(_ call: GatewayCall, within deadline: Duration) async throws(CommandError) -> JSON {
        guard let connection else { throw absence }
        return try await connection.call(call, within: deadline)
    }

    private func read<Value>(_ decode: () throws(WireFault) -> Value) throws(CommandError) -> Value {
        do throws(WireFault) { return try decode() } catch { throw CommandError(.internal, "\(error)") }
    }

    // MARK: What the plugin says

    private func take(_ note: PluginNote) {
        guard let host else { return }
        switch note {
        case .state(let note):
            host.deviceReported(StateReport(device: note.device, state: note.state, at: note.at))
        case .event(let note):
            host.deviceEvent(EventReport(device: note.device, event: note.event, data: note.data, at: note.at))
        case .connectivity(let note):
            var connectivity = note.connectivity
            connectivity.detail = connectivity.detail.map { recorder.redactor.redacted(text: $0) }
            host.deviceConnectivity(note.device, connectivity)
        case .added(let note), .changed(let note):
            if let secrets = note.secrets { recorder.learn(secrets) }
            host.deviceDescribed(note.description, secrets: note.secrets)
        case .removed(let device):
            host.deviceRemoved(device)
        case .progress(let note):
            host.pairingProgressed(taken(note.progress))
        case .status(let note):
            guard let state = AdapterStatus.State(rawValue: note.state) else { return }
            let status = AdapterStatus(state, detail: recorder.redactor.redacted(text: note.detail))
            onStatus?(status)
            host.statusChanged(status)
        case .log(let note):
            host.log(
                AdapterLogRecord(
                    level: note.level,
                    message: recorder.redactor.redacted(text: note.message),
                    metadata: note.metadata.mapValues { recorder.redactor.redacted(text: $0) }
                )
            )
        }
    }

    private func answer(_ call: PluginCall) async throws(CommandError) -> JSON {
        guard let host else { throw CommandError(.conflict, "The plugin is not initialized yet.") }
        switch call {
        case .storeSecret(let device, let name, let value):
            recorder.learn(Secrets([name: value.exposed]))
            try await host.storeSecret(value.exposed, name: name, device: device)
            return [:]
        case .storedValue(let key):
            guard let value = try await host.storedValue(key: key) else { return [:] }
            return ["value": value]
        case .storeValue(let key, let value):
            try await host.storeValue(value, key: key)
            return [:]
        case .scanWiFi(let session):
            return WiFiScanAnswer(networks: try await host.scanWiFi(for: session)).json
        case .joinWiFi(let session, let ssid, let passphrase):
            if let passphrase { recorder.learn(Secrets(["passphrase": passphrase.exposed])) }
            let join = WiFiJoin(session: session, ssid: ssid, passphrase: passphrase?.exposed)
            return WiFiJoinAnswer(place: try await host.joinWiFi(join)).json
        case .leaveWiFi(let session):
            try await host.leaveWiFi(for: session)
            return [:]
        }
    }
}

extension Result<JSON, CommandError> {
    /// The result as the value that a method gives; another shape is an `internal` error.
    fileprivate func decoded<Value>(_ decode: (JSON) throws(WireFault) -> Value) -> Result<Value, CommandError> {
        switch self {
        case .success(let json):
            do throws(WireFault) { return .success(try decode(json)) } catch {
                return .failure(CommandError(.internal, "\(error)"))
            }
        case .failure(let error):
            return .failure(error)
        }
    }
}

extension WireDevice {
    /// Puts a device on the wire.
    fileprivate init(_ device: KnownDevice) {
        self.init(
            id: device.id,
            vendorID: device.vendorID,
            options: device.options,
            secrets: device.secrets,
            lastDescription: device.description
        )
    }
}
