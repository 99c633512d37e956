import DeviceInterface
import EventLoop
import HomeModel
import JSON
import Simulators
import TuyaAdapter
import TuyaProtocol

/// An adapter with a gateway in the test's hands.
@Loop
struct AdapterRig {
    let adapter: TuyaAdapter
    let host = RecordingHost()

    /// Starts an adapter with `config`.
    ///
    /// - Parameter known: devices that the gateway remembers.
    init(
        _ config: JSON,
        known: [KnownDevice] = [],
        secrets: Secrets = Secrets(),
        store: [String: JSON] = [:],
        makeCloud: @escaping TuyaAdapter.CloudMaker = { TuyaCloud($0) }
    ) async throws {
        adapter = TuyaAdapter(makeCloud: makeCloud)
        host.store = store
        let setup = AdapterSetup(
            gatewayVersion: "test",
            config: config,
            devices: known,
            secrets: secrets,
            stateDirectory: "/nonexistent"
        )
        try await adapter.initialize(setup, host: host)
        try await adapter.start()
    }

    func write(_ id: VendorID, _ values: JSONObject, within deadline: Duration = .seconds(5)) async -> Result<
        CommandStage, CommandError
    > {
        await withCheckedContinuation { continuation in
            adapter.write(WriteRequest(device: id, values: values, deadline: deadline)) { result in
                continuation.resume(returning: result.map(\.stage))
            }
        }
    }

    func read(_ id: VendorID, _ properties: [String]? = nil) async -> Result<JSONObject, CommandError> {
        await withCheckedContinuation { continuation in
            adapter.read(ReadRequest(device: id, properties: properties, deadline: .seconds(5))) { result in
                continuation.resume(returning: result.map(\.state))
            }
        }
    }

    /// Writes, expects success, and waits until the gateway is told these values, or others that are given.
    func confirm(_ id: VendorID, _ values: JSONObject, shows expected: JSONObject? = nil) async throws {
        _ = try await write(id, values).get()
        await host.until(id, shows: expected ?? values)
    }
}

/// Times that make tests quick without being tight.
let quickTiming: JSON = [
    "quick_retry_first_ms": 5, "quick_retry_last_ms": 30, "good_session_ms": 0, "retry_unit_ms": 50,
    "negotiation_pause_ms": 40, "held_pause_ms": 200, "key_pause_ms": 400, "dead_key_pause_ms": 20,
    "quiet_start_ms": 60, "at_once_ms": 30, "answer_ms": 2000, "set_answer_ms": 3000, "settle_ms": 300,
    "probe_listen_ms": 0, "probe_pause_ms": 20, "discovery_query_ms": 100,
]

/// Runs `body` with a simulated lamp on a port of its own and an adapter that is configured for it.
@Loop
func withLamp(
    _ version: ProtocolVersion = .v33,
    _ product: Product = .light(.rgbcw),
    device: JSONObject = [:],
    timing: JSON = quickTiming,
    prepare: @Loop (TuyaLamp) -> Void = { _ in },
    _ body: @Loop (TuyaLamp, AdapterRig, VendorID) async throws -> Void
) async throws {
    let identity = LampIdentity(
        id: "bf0123456789abcdefgh",
        uuid: "f1e2d3c4b5a69788",
        localKey: "p'&T=5-4u#Xq!a0Z",
        version: version,
        address: .loopback(port: 0),
        name: "Desk lamp"
    )
    let lamp = TuyaLamp(identity, product)
    lamp.habits.refusalDelay = .milliseconds(60)
    prepare(lamp)
    try lamp.start()
    defer { lamp.stop() }
    let rig = try await AdapterRig(lamp.config(device, timing: timing))
    do {
        try await body(lamp, rig, VendorID(identity.id))
    } catch {
        await rig.adapter.stop()
        throw error
    }
    await rig.adapter.stop()
}

extension TuyaLamp {
    /// The plugin's configuration with this lamp, found by address.
    func config(_ extra: JSONObject = [:], timing: JSON = quickTiming) -> JSON {
        ["devices": [.object(entry(extra))], "discovery": ["enabled": false], "timing": timing, "set_pause_ms": 0]
    }

    func entry(_ extra: JSONObject = [:]) -> JSONObject {
        var entry: JSONObject = [
            "id": .string(identity.id), "local_key": .string(identity.localKey), "name": .string(identity.name),
            "address": .string(identity.address.ip), "port": JSON(Int(identity.address.port)),
            "version": .string(identity.version.text),
        ]
        for (key, value) in extra { entry[key] = value.isNull ? nil : value }
        return entry
    }
}
