import DeviceInterface
import EventLoop
import HomeModel
import JSON
import Simulators
import Testing
import TuyaAdapter
import TuyaProtocol

@Suite("Calls of the gateway", .timeLimit(.minutes(1)))
@Loop
struct AdapterCallTests {
    private let id = VendorID("bf0123456789abcdefgh")

    private func config(_ devices: [JSON]) -> JSON { ["devices": .array(devices), "discovery": ["enabled": false]] }

    private func device(_ id: String, _ extra: JSONObject = [:]) -> JSON {
        var object: JSONObject = [
            "id": .string(id), "local_key": "0123456789abcdef", "address": "127.0.0.1", "port": 1,
        ]
        for (key, value) in extra { object[key] = value }
        return .object(object)
    }

    @Test("before the start, and for devices that nobody knows, everything is device_not_found")
    func unknown() async throws {
        let adapter = TuyaAdapter()
        let host = RecordingHost()
        let setup = AdapterSetup(gatewayVersion: "", config: config([device(id.text)]), devices: [], stateDirectory: "")
        try await adapter.initialize(setup, host: host)
        for name in [id, VendorID("nobody")] {
            adapter.write(WriteRequest(device: name, values: ["power": true], deadline: .seconds(1))) {
                #expect($0 == .failure(CommandError(.deviceNotFound, "The plugin has no device \(name).")))
            }
            adapter.read(ReadRequest(device: name, deadline: .seconds(1))) { result in
                guard case .failure(let error) = result else { return #expect(Bool(false)) }
                #expect(error.code == .deviceNotFound)
            }
        }
        #expect(host.descriptions.isEmpty, "initialize says nothing")
    }

    @Test("devices that were in the configuration and are not any more are reported removed, once")
    func ghosts() async throws {
        let first = try await AdapterRig(config([device("a"), device("b")]))
        await first.adapter.stop()
        let second = TuyaAdapter()
        let setup = AdapterSetup(gatewayVersion: "", config: config([device("b")]), devices: [], stateDirectory: "")
        try await second.initialize(setup, host: first.host)
        try await second.start()
        #expect(first.host.removed == [VendorID("a")])
        await second.stop()
        try await second.start()
        #expect(first.host.removed == [VendorID("a")])
        await second.stop()
    }

    @Test("a device that stands in the configuration cannot be removed otherwise; a paired one can, but not unpaired")
    func remove() async throws {
        let paired = KnownDevice(
            vendorID: VendorID("paired"),
            id: try #require(DeviceID("paired")),
            options: ["address": "127.0.0.1", "port": 1],
            secrets: Secrets(["local_key": "0123456789abcdef"])
        )
        let rig = try await AdapterRig(config([device("a")]), known: [paired])
        await #expect(throws: CommandError.self) { try await rig.adapter.remove(VendorID("a"), unpair: false) }
        do {
            try await rig.adapter.remove(VendorID("a"), unpair: false)
        } catch {
            #expect(error.code == .conflict && error.hint?.contains("plugins.tuya.devices") == true)
        }
        do {
            try await rig.adapter.remove(VendorID("paired"), unpair: true)
        } catch {
            #expect(error.code == .capabilityMissing)
        }
        try await rig.adapter.remove(VendorID("paired"), unpair: false)
        guard case .failure(let error) = await rig.write(VendorID("paired"), ["power": true]) else {
            return #expect(Bool(false))
        }
        #expect(error.code == .deviceNotFound)
        await rig.adapter.stop()
    }

    @Test("a paired device is served with its stored key and its options; the configuration wins")
    func known() async throws {
        try await withLamp { lamp, _, id in
            lamp.habits.maximumClients = 3
            var options = lamp.entry()
            for key in ["id", "local_key", "name"] { options[key] = nil }
            let device = KnownDevice(
                vendorID: id,
                id: try #require(DeviceID("desk-lamp")),
                options: options,
                secrets: Secrets(["local_key": lamp.identity.localKey])
            )
            let rig = try await AdapterRig(["discovery": ["enabled": false]], known: [device])
            await rig.host.untilOnline(id)
            try await rig.confirm(id, ["power": false])
            await rig.adapter.stop()
        }
    }

    @Test("a changed configuration is taken live: added, changed and deleted devices, and nothing else is disturbed")
    func configure() async throws {
        try await withLamp { lamp, rig, id in
            await rig.host.untilOnline(id)
            var with = try #require(lamp.config().objectValue)
            with["devices"] = .array([.object(lamp.entry()), device("other", ["name": "Other"])])
            let result = try await rig.adapter.configure(ConfigurationChange(config: .object(with)))
            #expect(!result.needsRestart)
            await rig.host.until { $0.descriptions[VendorID("other")]?.name == "Other" }
            #expect(lamp.counts.connections == 1)

            with["devices"] = .array([.object(lamp.entry(["name": "Renamed"]))])
            _ = try await rig.adapter.configure(ConfigurationChange(config: .object(with)))
            await rig.host.until { $0.descriptions[id]?.name == "Renamed" && $0.removed == [VendorID("other")] }
            await rig.host.untilOnline(id)

            await #expect(throws: CommandError.self) {
                _ = try await rig.adapter.configure(ConfigurationChange(config: ["devicess": []]))
            }
            try await rig.confirm(id, ["power": false])
        }
    }

    @Test("values of the wrong kind, unknown properties and impossible ones are refused before anything is sent")
    func refusals() async throws {
        try await withLamp(.v33, .light(.c)) { lamp, rig, id in
            await rig.host.untilOnline(id)
            let sets = lamp.counts.sets
            let cases: [(JSONObject, ErrorCode)] = [
                (["power": "on"], .badRequest), (["nonsense": 1], .propertyUnknown),
                (["color_temp": 3000], .capabilityMissing),
                (["color": ["h": 1]], .capabilityMissing), (["effect": "sunrise"], .valueOutOfRange),
            ]
            for (values, code) in cases {
                guard case .failure(let error) = await rig.write(id, values) else { return #expect(Bool(false)) }
                #expect(error.code == code, "\(values)")
            }
            #expect(lamp.counts.sets == sets)
        }
    }

    @Test("diagnostics tell version, address, state and counters, and no key")
    func diagnostics() async throws {
        try await withLamp(.v34) { lamp, rig, id in
            await rig.host.untilOnline(id)
            _ = await rig.write(id, ["power": false])
            let report = await rig.adapter.diagnostics()
            let device = try #require(report["devices"]?[0])
            #expect(device["id"] == .string(id.text))
            #expect(device["version"] == "3.4")
            #expect(device["phase"] == "online")
            #expect(device["address"] == .string(lamp.identity.address.description))
            #expect(device["counters"]?["sets"] == 1)
            #expect(!report.text.contains(lamp.identity.localKey))
        }
    }

    @Test("there are no actions")
    func invoke() async throws {
        let rig = try await AdapterRig(config([device("a")]))
        rig.adapter.invoke(InvokeRequest(device: VendorID("a"), action: "dance", input: .null, deadline: .seconds(1))) {
            guard case .failure(let error) = $0 else { return #expect(Bool(false)) }
            #expect(error.code == .capabilityMissing)
        }
        await rig.adapter.stop()
    }
}
