import DeviceInterface
import EventLoop
import HomeModel
import JSON
import Simulators
import Testing
import TuyaAdapter
import TuyaProtocol

/// Times of pairing that make tests quick without being tight.
let quickPairing: JSON = [
    "timing": [
        "find_on_lan_ms": 300, "handshake_ms": 3000, "probing_ms": 5000, "poll_ms": 50, "late_poll_ms": 100,
        "look_back_ms": 200,
        "datagram_ms": 100, "recognising_ms": 500, "channel_pause_ms": 100, "listen_ms": 200, "second_part_ms": 200,
    ]
]

@Suite("Devices by hand", .timeLimit(.minutes(1)))
@Loop
struct ManualPairingTests {
    static let key = "p'&T=5-4u#Xq!a0Z"
    static let id = "bf0123456789abcdefgh"

    /// A lamp that takes one client, with an adapter that knows nothing of it, or knows it under another key.
    private func withLampAlone(
        _ version: ProtocolVersion = .v33,
        knownKey: String? = nil,
        _ body: @Loop (TuyaLamp, PairingRig) async throws -> Void
    ) async throws {
        let identity = LampIdentity(
            id: Self.id,
            uuid: "f1e2d3c4b5a69788",
            localKey: Self.key,
            version: version,
            address: .loopback(port: 0),
            name: "Lamp"
        )
        let lamp = TuyaLamp(identity)
        lamp.habits.maximumClients = 1
        // One session in 256 of these devices is dead and is followed by another; here connections are counted.
        lamp.habits.takesZeroKeyForNone = false
        lamp.habits.refusalDelay = .milliseconds(60)
        try lamp.start()
        defer { lamp.stop() }
        let port = JSON(Int(lamp.identity.address.port))
        var known: [KnownDevice] = []
        if let knownKey {
            known = [
                KnownDevice(
                    vendorID: VendorID(Self.id),
                    id: try #require(DeviceID("lamp")),
                    options: [
                        "address": "127.0.0.1", "port": port, "name": "Kept", "version": .string(version.text),
                    ],
                    secrets: Secrets(["local_key": knownKey])
                )
            ]
        }
        let times = quickPairing["timing"] ?? [:]
        let rig = try await AdapterRig(
            [
                "discovery": ["enabled": false], "timing": quickTiming,
                "pairing": ["timing": times, "ports": ["lan": port]],
            ],
            known: known
        )
        do {
            try await body(lamp, PairingRig(rig))
        } catch {
            await rig.adapter.stop()
            throw error
        }
        await rig.adapter.stop()
    }

    private func order(_ version: ProtocolVersion = .v33, key: String = ManualPairingTests.key) -> JSONObject {
        [
            "id": .string(Self.id), "key": .string(key), "address": "127.0.0.1", "version": .string(version.text),
            "name": "Lamp",
        ]
    }

    @Test(
        "a device of each version is tried, kept and controlled over the same connection",
        arguments: [
            ProtocolVersion.v31, .v33, .v34, .v35,
        ]
    )
    func success(version: ProtocolVersion) async throws {
        try await withLampAlone(version) { lamp, pairing in
            let id = VendorID(Self.id)
            try await pairing.start("manual", order(version))
            let end = try await pairing.end()
            #expect(end.state == .succeeded && end.devices == [id], "\(end)")
            await pairing.host.untilOnline(id)
            #expect(pairing.host.descriptions[id]?.name == "Lamp")
            #expect(pairing.host.secrets[id] == ["local_key": Self.key])
            try await pairing.rig.confirm(id, ["power": false])
            #expect(lamp.counts.connections == 1, "the connection that was tried is gone on with")
        }
    }

    @Test("a paired device is there again after a restart, with what was known of it")
    func restart() async throws {
        try await withLampAlone { _, pairing in
            try await pairing.start("manual", order())
            #expect(try await pairing.end().state == .succeeded)
            await pairing.rig.adapter.stop()
            let known = KnownDevice(
                vendorID: VendorID(Self.id),
                id: try #require(DeviceID("lamp")),
                secrets: Secrets(try #require(pairing.host.secrets[VendorID(Self.id)]))
            )
            #expect(!"\(pairing.host.store)".contains(Self.key))
            let again = try await AdapterRig(
                ["discovery": ["enabled": false], "timing": quickTiming],
                known: [known],
                store: pairing.host.store
            )
            await again.host.untilOnline(VendorID(Self.id))
            #expect(again.host.descriptions[VendorID(Self.id)]?.name == "Lamp")
            await again.adapter.stop()
        }
    }

    @Test("a wrong key is a failed handshake, and nothing is kept")
    func wrongKey() async throws {
        for version in [ProtocolVersion.v34, .v35] {
            try await withLampAlone(version) { _, pairing in
                try await pairing.start("manual", order(version, key: "0000000000000000"))
                let end = try await pairing.end()
                #expect(end.failure?.code == .handshakeFailed && end.failure?.hint?.isEmpty == false, "\(end)")
                #expect(pairing.host.descriptions.isEmpty && pairing.host.secrets.isEmpty)
            }
        }
    }

    @Test("a new key brings a device back without a restart, and keeps its name", arguments: ["manual", "import"])
    func newKey(method: String) async throws {
        try await withLampAlone(.v34, knownKey: "0000000000000000") { _, pairing in
            let id = VendorID(Self.id)
            await pairing.host.until(id, is: .keyChanged)
            let list: JSON = [["id": .string(Self.id), "key": .string(Self.key), "name": "Another"]]
            try await pairing.start(method, method == "manual" ? order(.v34) : ["json": .string(list.text)])
            if method == "import" {
                let form = try await pairing.form()
                #expect(form.why?.contains("change Another (\(Self.id)): key") == true)
                #expect(pairing.last?.data["table"]?[0]?["changes"] == ["key"])
                try await pairing.answer(["confirm": true])
            }
            #expect(try await pairing.end().state == .succeeded)
            await pairing.host.untilOnline(id)
            try await pairing.rig.confirm(id, ["power": false])
            #expect(pairing.host.descriptions[id]?.name == "Kept")
            #expect(pairing.host.secrets[id]?["local_key"] == Self.key && pairing.host.removed.isEmpty)
        }
    }

    @Test("a device whose new key is refused is left as it was")
    func refusedKey() async throws {
        try await withLampAlone(.v34, knownKey: Self.key) { _, pairing in
            let id = VendorID(Self.id)
            await pairing.host.untilOnline(id)
            try await pairing.start("manual", order(.v34, key: "0000000000000000"))
            #expect(try await pairing.end().failure?.code == .handshakeFailed)
            #expect(pairing.host.secrets[id] == nil)
            await pairing.host.untilOnline(id)
            try await pairing.rig.confirm(id, ["power": false])
        }
    }

    @Test("a list may be refused, unreadable or empty")
    func lists() async throws {
        try await withLampAlone { _, pairing in
            try await pairing.start("import", ["json": "{"])
            #expect(try await pairing.form().error?.code == "list_unreadable")
            try await pairing.answer(["path": "/nonexistent/devices.json"])
            await pairing.host.until { $0.progress.count { $0.state == .needsInput } == 2 }
            #expect(try await pairing.form().error?.message.contains("No such file") == true)
            let list: JSON = ["devices": [["id": "bf01", "key": "0123456789abcdef"]]]
            try await pairing.answer(["json": .string(list.text)])
            await pairing.host.until { $0.progress.count { $0.state == .needsInput } == 3 }
            try await pairing.answer(["confirm": false])
            #expect(try await pairing.end().devices.isEmpty)
            #expect(pairing.host.descriptions.isEmpty)
        }
    }

    @Test("a key is malformed in words, and asked for again; a cancelled session says no more")
    func malformed() async throws {
        try await withLampAlone { _, pairing in
            try await pairing.start("manual", ["id": .string(Self.id), "key": "p'&amp;T=5-4u#Xq!a0Z"])
            let form = try await pairing.form()
            #expect(form.error?.code == "key_malformed" && form.error?.message.contains("HTML") == true)
            #expect(form.fields.first?.fallback == .string(Self.id))
            #expect(form.fields.first { $0.name == "key" }?.fallback == nil)
            await pairing.rig.adapter.cancelPairing(pairing.session)
            #expect(pairing.last?.state == .needsInput)
            await #expect(throws: CommandError.self) { try await pairing.answer(["id": "x"]) }
        }
    }

    @Test("a device that nobody hears is not on the LAN")
    func notOnLAN() async throws {
        try await withLampAlone { _, pairing in
            try await pairing.start("manual", ["id": "bf9999999999abcdefgh", "key": .string(Self.key)])
            let end = try await pairing.end()
            #expect(end.failure?.code == .notOnLAN && end.failure?.step == "find_on_lan")
            #expect(pairing.host.descriptions.isEmpty && pairing.host.secrets.isEmpty)
        }
    }

    @Test("unknown methods and sessions are refused in words")
    func unknown() async throws {
        try await withLampAlone { _, pairing in
            await #expect(throws: CommandError.self) { try await pairing.start("magic") }
            await #expect(throws: CommandError.self) { try await pairing.answer([:]) }
            try await pairing.start("ap")
            #expect(try await pairing.end().failure?.code == "account_missing")
            await pairing.rig.adapter.cancelPairing(pairing.session)
        }
    }
}
