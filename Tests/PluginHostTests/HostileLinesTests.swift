import DeviceInterface
import EventLoop
import Glibc
import HomeModel
import JSON
import PluginHost
import PluginWire
import TestSupport
import Testing

@Suite("Hostile lines from a plugin", .timeLimit(.minutes(2)))
struct HostileLinesTests {
    private static let seeds: [JSON] = [
        ["jsonrpc": "2.0", "id": 1, "result": ["stage": "sent"]],
        ["jsonrpc": "2.0", "id": 1, "error": ["code": 1006, "message": "x", "data": ["retryable": true]]],
        ["jsonrpc": "2.0", "method": "device/state", "params": ["device": "a", "at": 1, "state": ["power": true]]],
        ["jsonrpc": "2.0", "method": "device/event", "params": ["device": "a", "at": 1, "event": "e", "data": 1]],
        [
            "jsonrpc": "2.0", "method": "device/added",
            "params": ["device": ["vendorId": "a", "properties": ["p": ["type": "boolean"]]], "secrets": ["k": "v"]],
        ],
        [
            "jsonrpc": "2.0", "method": "device/connectivity",
            "params": ["device": "a", "online": false, "reason": "x"],
        ],
        ["jsonrpc": "2.0", "method": "log", "params": ["level": "info", "message": "m", "metadata": ["a": 1]]],
        ["jsonrpc": "2.0", "method": "plugin/status", "params": ["state": "degraded", "detail": "x"]],
        [
            "jsonrpc": "2.0", "method": "pairing/progress",
            "params": [
                "session": "p-1", "state": "needs_input", "step": "a", "steps": ["a"], "percent": 1,
                "needsInput": ["title": "T", "schema": ["properties": ["f": ["type": "string"]]]], "data": ["x": 1],
            ],
        ],
        [
            "jsonrpc": "2.0", "method": "pairing/progress",
            "params": ["session": "p-1", "state": "failed", "step": "a", "error": ["code": "c", "message": "m"]],
        ],
        ["jsonrpc": "2.0", "id": "r", "method": "wifi/scan", "params": ["session": "p-1"]],
        ["jsonrpc": "2.0", "id": "s", "method": "wifi/join", "params": ["session": "p-1", "ssid": "home"]],
        ["jsonrpc": "2.0", "id": "p", "method": "store/set", "params": ["key": "k", "value": 1]],
        ["jsonrpc": "2.0", "id": "q", "method": "secret/store", "params": ["name": "k", "value": "v"]],
        ["jsonrpc": "2.0", "method": "$/cancel", "params": ["id": "p"]],
    ]
    @Test("10,000 lines end connections by a fault at most, and every call is answered by code")
    @Loop func tenThousand() async throws {
        var dice = Dice(4711)
        var lines = 0
        var faults = 0
        var answers: [ErrorCode: Int] = [:]
        var successes = 0
        var reports = 0
        let adapterHost = RecordingHost()
        while lines < 10_000 {
            let peer = try FarEnd()
            let adapter = RemoteAdapter(plugin: try TestHouse.plugin("hostile"), recorder: peer.recorder)
            adapter.attach(peer.connection)
            let setup = AdapterSetup(gatewayVersion: "1", config: [:], devices: [], stateDirectory: "/")
            let initialized = Task { @Loop in try? await adapter.initialize(setup, host: adapterHost) }
            await peer.heard { $0.contains { $0.contains("initialize") } }
            peer.say(Array(#"{"jsonrpc":"2.0","id":1,"result":{"protocol":1}}"#.utf8))
            _ = await initialized.value
            for _ in 0..<20 {
                adapter.write(
                    WriteRequest(device: VendorID("a"), values: ["power": true], deadline: .seconds(30))
                ) { result in
                    switch result {
                    case .success: successes += 1
                    case .failure(let error): answers[error.code, default: 0] += 1
                    }
                }
            }
            for _ in 0..<100 {
                peer.say(HostileLine.make(from: Self.seeds, with: &dice))
                lines += 1
            }
            // The far end's close comes after all that it said.
            await peer.finished()
            if peer.fault != nil { faults += 1 }
            adapter.detach(because: CommandError(.pluginDown, "Over."))
            reports += adapterHost.entries.count
            adapterHost.clear()
            if lines % 1000 == 0 { #expect(peer.recorder.lines(limit: 300).count <= 300) }
        }
        let answered = successes + answers.values.reduce(0, +)
        #expect(answered == lines / 100 * 20)
        #expect(faults > 20)
        #expect(reports > 500)
        #expect(Set(answers.keys).isSubset(of: [.pluginDown, .timeout, .internal]))
    }
}
