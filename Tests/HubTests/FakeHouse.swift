import DeviceInterface
import EventLoop
import HomeModel
import Hub
import JSON
import Log

/// A store in memory that can be told to fail.
final class FakeStore: HouseStore, @unchecked Sendable {
    // The hub calls it on the loop, and so do the tests.
    @Loop var house = StoredHouse()
    @Loop var committed: [HouseChange] = []
    @Loop var traces: [CommandTrace] = []
    @Loop var noted: [DeviceID: JSONObject] = [:]
    @Loop var failure: CommandError?
    @Loop var values: [String: JSON] = [:]

    func load() async throws(CommandError) -> StoredHouse { await house }

    @Loop func commit(_ changes: [HouseChange]) async throws(CommandError) {
        if let failure { throw failure }
        committed += changes
        for case .putValue(let value, _, let key) in changes { values[key] = value }
    }

    func note(_ note: HouseNote) {
        Loop.assumeIsolated {
            switch note {
            case .state(let id, let state, _): noted[id] = state
            case .command(let trace): traces.append(trace)
            }
        }
    }

    func flush() async {}

    @Loop func provenance(of device: DeviceID, limit: Int) async throws(CommandError) -> [CommandTrace] {
        Array(traces.filter { $0.device == device }.reversed().prefix(limit))
    }

    @Loop func value(plugin: PluginID, key: String) async throws(CommandError) -> JSON? { values[key] }
}

/// An adapter whose answers the test gives.
@Loop
final class FakeAdapter: DeviceAdapter {
    var writes: [(request: WriteRequest, reply: Reply<WriteReceipt>)] = []
    var reads: [(request: ReadRequest, reply: Reply<ReadResult>)] = []
    var invocations: [(request: InvokeRequest, reply: Reply<JSON>)] = []
    var removed: [VendorID] = []

    func initialize(_ setup: AdapterSetup, host: any AdapterHost) async throws(CommandError) {}
    func start() async throws(CommandError) {}
    func stop() async {}
    func read(_ request: ReadRequest, reply: @escaping Reply<ReadResult>) { reads.append((request, reply)) }
    func write(_ request: WriteRequest, reply: @escaping Reply<WriteReceipt>) { writes.append((request, reply)) }
    func invoke(_ request: InvokeRequest, reply: @escaping Reply<JSON>) { invocations.append((request, reply)) }
    func remove(_ device: VendorID, unpair: Bool) async throws(CommandError) { removed.append(device) }
    func configure(_ change: ConfigurationChange) async throws(CommandError) -> ConfigurationResult {
        ConfigurationResult(needsRestart: false)
    }
    func diagnostics() async -> JSON { .null }
}

@Loop
final class FakePlugins: PluginDirectory {
    var adapters: [PluginID: any DeviceAdapter] = [:]
    var summaries: [PluginSummary] = []
    var reloaded: [PluginID] = []
    func adapter(for plugin: PluginID) -> (any DeviceAdapter)? { adapters[plugin] }
    func reload(_ plugin: PluginID) async throws(CommandError) { reloaded.append(plugin) }
    func recording(of plugin: PluginID, limit: Int) throws(CommandError) -> [JSON] { [] }
}

/// Writes down what a door is told.
@Loop
final class Listener: HubObserver {
    var lines: [String] = []
    func stateChanged(_ device: Device) { lines.append("state \(device.id) \(JSON.object(device.stateJSON).text)") }
    func connectivityChanged(_ device: Device) {
        lines.append("connectivity \(device.id) \(device.connectivity.reason?.rawValue ?? "online")")
    }
    func deviceChanged(_ device: Device) { lines.append("device \(device.id) \(device.record.name)") }
    func deviceRemoved(_ device: DeviceID) { lines.append("removed \(device)") }
    func eventHappened(_ device: Device, _ event: EventReport) { lines.append("event \(device.id) \(event.event)") }
    func homesChanged() { lines.append("homes") }
    func pluginChanged(_ plugin: PluginID) { lines.append("plugin \(plugin)") }
    func happened(_ event: HubEvent) { lines.append("happened \(event.kind.rawValue)") }
}

/// A hub with one plugin and one lamp that is online.
@Loop
final class FakeHouse {
    let store = FakeStore()
    let adapter = FakeAdapter()
    let plugins = FakePlugins()
    let listener = Listener()
    let hub: Hub
    let plugin = PluginID.derived(from: "tuya", isTaken: { _ in false }, digest: { $0 })
    let lamp = DeviceID.derived(from: "Lamp.1", isTaken: { _ in false }, digest: { $0 })
    var answers: [CommandAnswer] = [] {
        didSet {
            guard let first = answers.first else { return }
            for waiter in waiters { waiter.resume(returning: first) }
            waiters = []
        }
    }
    private var waiters: [CheckedContinuation<CommandAnswer, Never>] = []

    init(timing: Hub.Timing = Hub.Timing()) async {
        hub = Hub(
            store: store,
            log: Log.discarding(),
            timing: timing,
            digest: { "0123456789abcdef\($0.utf8.count)" },
            clock: { Timestamp(milliseconds: 1_000) }
        )
        plugins.adapters[plugin] = adapter
        hub.plugins = plugins
        hub.observe(listener)
        let desk = hub.desk(for: plugin)
        desk.deviceDescribed(Self.lamp("Lamp.1"), secrets: Secrets(["local_key": "canary"]))
        desk.deviceConnectivity(VendorID("Lamp.1"), .online)
        await hub.flush()
    }

    static func lamp(_ id: String) -> DeviceDescription {
        DeviceDescription(
            vendorID: VendorID(id),
            name: "Desk lamp",
            kind: .light,
            properties: [
                PropertyDescription("power", title: "Power", role: .power, schema: .boolean),
                PropertyDescription("brightness", title: "Brightness", role: .brightness, schema: .integer(0...255)),
                PropertyDescription(
                    "color",
                    title: "Colour",
                    role: .color,
                    schema: .object([
                        .init("h", .number(0...360), isRequired: false),
                        .init("s", .number(0...100), isRequired: false),
                    ])
                ),
                PropertyDescription("voltage", title: "Voltage", schema: .number(0...300), access: .readOnly),
                PropertyDescription("control", title: "Control", schema: .string(), access: .writeOnly),
                PropertyDescription("dp_9", title: "9", schema: .any, isExpertOnly: true),
            ],
            actions: [ActionDescription("blink", title: "Blink", input: .object([.init("times", .integer(1...5))]))],
            events: [EventDescription("pressed", title: "Pressed")]
        )
    }

    func set(_ payload: JSONObject) { hub.set(lamp, payload, source: "test") { self.answers.append($0) } }

    /// The first answer, as soon as there is one.
    func firstAnswer() async -> CommandAnswer {
        if let first = answers.first { return first }
        return await withCheckedContinuation { waiters.append($0) }
    }

    func report(_ state: JSONObject) {
        hub.desk(for: plugin).deviceReported(
            StateReport(device: VendorID("Lamp.1"), state: state, at: Timestamp(milliseconds: 2_000))
        )
    }

    func acknowledge(_ stage: CommandStage = .acknowledged) {
        adapter.writes.removeFirst().reply(.success(WriteReceipt(stage: stage)))
    }

    func request(_ path: String, _ payload: RequestPayload = .empty) async -> RequestAnswer {
        await withCheckedContinuation { continuation in
            hub.requests.handle(path, payload) { continuation.resume(returning: $0) }
        }
    }
}
