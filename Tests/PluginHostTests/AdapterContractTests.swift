import DeviceInterface
import EventLoop
import HomeModel
import JSON
import TestSupport
import Testing

@Suite("The fake adapter keeps the contract", .timeLimit(.minutes(2)))
struct AdapterContractTests {
    /// Goes through a refused password, so that each kind of progress occurs.
    @Loop private static var pairing: AdapterContract.Pairing {
        AdapterContract.Pairing(
            method: "ask",
            input: ["ssid": "home", "password": "wrong"],
            secrets: ["a canary"],
            answer: { _ in ["ssid": "guest", "password": "a canary"] }
        )
    }

    @Loop private static func subject(_ adapter: any DeviceAdapter, _ host: RecordingHost) -> AdapterContract.Subject {
        AdapterContract.Subject(
            adapter: adapter,
            host: host,
            device: FakeAdapter.lamp,
            unreachable: FakeAdapter.deadLamp,
            property: "brightness",
            values: (12, 200),
            action: ("blink", ["times": 3], ["blinked": 3]),
            pairing: pairing
        )
    }

    @Test("in this process", arguments: AdapterContract.allCases)
    @Loop func inProcess(rule: AdapterContract) async throws {
        let (adapter, host) = (FakeAdapter(), RecordingHost())
        let setup = AdapterSetup(gatewayVersion: "1", config: [:], devices: [], stateDirectory: "/nowhere")
        try await adapter.initialize(setup, host: host)
        try await adapter.start()
        try await rule.check(Self.subject(adapter, host))
    }

    @Test("behind the plugin wire, in a process of its own", arguments: AdapterContract.allCases)
    @Loop func inItsProcess(rule: AdapterContract) async throws {
        let id = try TestHouse.plugin("fake")
        try await TestHouse.with { house, _ in
            let adapter = try await house.adapter(id)
            try await rule.check(Self.subject(adapter, house.recordingHost(id)))
        }
    }

    @Test("both give the same reports and answers to the same calls")
    @Loop func same() async throws {
        let (direct, directHost) = (FakeAdapter(), RecordingHost())
        let setup = AdapterSetup(gatewayVersion: "1", config: [:], devices: [], stateDirectory: "/nowhere")
        try await direct.initialize(setup, host: directHost)
        try await direct.start()
        let here = try await Self.transcript(direct, directHost)
        let id = try TestHouse.plugin("fake")
        try await TestHouse.with { house, _ in
            let there = try await Self.transcript(try await house.adapter(id), house.recordingHost(id))
            #expect(here == there)
        }
        #expect(here.count > 25)
    }

    /// Tries everything and writes down what comes of it, without the moments.
    @Loop private static func transcript(_ adapter: any DeviceAdapter, _ host: RecordingHost) async throws -> [String] {
        let lamp = FakeAdapter.lamp
        var lines: [String] = []
        func note(_ what: String, _ result: Result<some Any, CommandError>) {
            switch result {
            case .success(let value as ReadResult): lines.append("\(what): \(JSON.object(value.state))")
            case .success(let value): lines.append("\(what): \(value)")
            case .failure(let error): lines.append("\(what): \(error.json)")
            }
        }
        for device in [lamp, FakeAdapter.deadLamp, VendorID("none")] {
            note("write", await adapter.write(["power": true, "brightness": 7], to: device))
            note("write", await adapter.write(["color": "red"], to: device))
            note("read", await adapter.read(device))
            note("read", await adapter.read(device, properties: ["power"]))
            note("blink", await adapter.invoke("blink", ["times": 2], on: device))
            note("fly", await adapter.invoke("fly", on: device))
        }
        note("press", await adapter.invoke("press", ["a": [1, nil, 2.5, "é\n"]], on: lamp))
        note("remember", await adapter.invoke("remember", ["deep": [["x": 1]]], on: lamp))
        lines.append("configure: \(try await adapter.configure(ConfigurationChange(config: ["needs_restart": true])))")
        lines.append("diagnostics: \(await adapter.diagnostics())")
        try await adapter.remove(FakeAdapter.otherLamp, unpair: true)
        await host.until { host.entries.contains { if case .removed = $0 { true } else { false } } }
        lines += host.entries.map { entry in
            switch entry {
            case .state(let report): "state \(report.device) \(JSON.object(report.state))"
            case .event(let report): "event \(report.device) \(report.event) \(report.data)"
            case .described(let description, let secrets): "\(description.json) \(secrets?.exposed ?? [:])"
            case .removed, .connectivity, .status, .log, .progress: "\(entry)"
            }
        }
        lines.append("\(host.secrets)")
        return lines
    }
}
