import EventLoop
import JSON
import Simulators
import Testing
import TuyaProtocol

/// The simulated lamp against tinytuya, a client that shares no code with it.
@Suite(
    "tinytuya and a simulated lamp",
    .timeLimit(.minutes(2)),
    .enabled("tinytuya is not installed for \(PythonScript.interpreter); LINTEL_PYTHON names another interpreter") {
        await PythonScript.finds(module: "tinytuya")
    }
)
struct TinytuyaTests {
    @Test("agree on status, sets, heartbeat and report", arguments: [ProtocolVersion.v31, .v33, .v34, .v35])
    func usual(version: ProtocolVersion) async throws {
        try await withLamp(version) { lamp in try await Self.check(lamp, type: "default") }
    }

    @Test("agree on the device22 dialect", arguments: [ProtocolVersion.v32, .v33, .v34])
    func device22(version: ProtocolVersion) async throws {
        try await withLamp(version) { lamp in
            lamp.habits.dialect = .device22
            try await Self.check(lamp, type: "device22")
        }
    }

    @Test("agree on a lamp that was paired in its hotspot", arguments: [ProtocolVersion.v33, .v35])
    @Loop
    func paired(version: ProtocolVersion) async throws {
        let bench = try HotspotBench(version == .v33 ? 40 : 41) { $0.version = version }
        defer { bench.stop() }
        _ = try await bench.hub().ask(.hotspotCredentials, bench.credentials().body)
        await bench.device.until { $0.phase == .onLAN }
        let lamp = try #require(bench.device.lamp)
        lamp.habits.takesZeroKeyForNone = false
        try await Self.check(lamp, type: "default")
    }

    @Loop
    private static func check(_ lamp: TuyaLamp, type: String) async throws {
        let identity = lamp.identity
        let script = try PythonScript(
            "tinytuya_client.py",
            [
                identity.id, identity.address.ip, String(identity.address.port), identity.localKey,
                identity.version.text, type,
            ]
        )
        defer { script.stop() }
        var steps: [String] = []
        for await line in script.lines {
            let json = try JSON.parse(line)
            let step = json["step"]?.stringValue ?? ""
            let seen = json["seen"]
            steps.append(step)
            switch step {
            case "status":
                #expect(seen?["20"] == true)
                #expect(seen?["22"] == 1000)
            case "set":
                #expect(seen == 500)
                #expect(lamp.counts.sets >= 1)
            case "set several":
                #expect(seen?["22"] == 20)
                #expect(lamp.values[21] == "colour")
            case "heartbeat": #expect(lamp.counts.heartbeats >= 1)
            case "waiting": lamp.report([20: false])
            case "report": #expect(seen?["20"] == false)
            default: break
            }
        }
        #expect(steps == ["status", "set", "set several", "heartbeat", "waiting", "report"])
    }
}
