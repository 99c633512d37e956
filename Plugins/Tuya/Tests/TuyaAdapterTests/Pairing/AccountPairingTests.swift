import DeviceInterface
import EventLoop
import HomeModel
import JSON
import Testing
import TuyaAdapter
import TuyaProtocol

@Suite("The account and its devices", .timeLimit(.minutes(1)))
@Loop
struct AccountPairingTests {
    private func withCloud(_ body: @Loop (FakeCloud, PairingRig) async throws -> Void) async throws {
        let cloud = FakeCloud()
        let rig = try await AdapterRig(
            ["discovery": ["enabled": false], "timing": quickTiming, "pairing": quickPairing],
            makeCloud: { _ in cloud }
        )
        try await body(cloud, PairingRig(rig))
        await rig.adapter.stop()
    }

    private static let account: JSONObject = [
        "region": "eu", "client_id": "client", "secret": "very secret", "uid": "user",
    ]

    @Test("an account is checked, asked for again where the cloud refuses it, and kept sealed")
    func account() async throws {
        try await withCloud { cloud, pairing in
            cloud.trouble = CloudError(.refused(.badSignature), "The signature is wrong.", code: "1004")
            try await pairing.start("account", Self.account)
            let form = try await pairing.form()
            #expect(form.error?.code == "auth_failed" && form.error?.vendorCode == "1004")
            #expect(form.fields.first { $0.name == "client_id" }?.fallback == "client")
            cloud.trouble = nil
            try await pairing.answer(Self.account)
            #expect(try await pairing.end().state == .succeeded)
            let kept = try #require(pairing.host.secrets[nil])
            #expect(kept.count == 1 && kept.values.first?.contains("very secret") == true)
            #expect(!"\(pairing.host.progress)\(pairing.host.records)\(pairing.host.store)".contains("very secret"))
            let other = try PairingRig(pairing.rig, "p-2")
            try await other.start("cloud")
            #expect(try await other.end().failure?.code == "no_devices", "the account is in use at once")
        }
    }

    @Test("devices of the account are chosen and taken in with their keys")
    func devices() async throws {
        try await withCloud { cloud, pairing in
            try await pairing.start("account", Self.account)
            #expect(try await pairing.end().state == .succeeded)
            for (id, key) in [("bf01", "0123456789abcdef"), ("bf02", "fedcba9876543210")] {
                var device = CloudDevice(id: id, name: "Lamp \(id)", localKey: try LocalKey(key))
                device.category = "dj"
                cloud.account.append(device)
            }
            cloud.account.append(CloudDevice(id: "bf03", name: "Keyless"))
            let other = try PairingRig(pairing.rig, "p-2")
            try await other.start("cloud")
            let form = try await other.form()
            #expect(form.fields.first?.choices.map(\.value) == ["all", "bf01", "bf02", "bf03"])
            try await other.answer(["devices": "bf01, bf03"])
            await other.host.until { $0.progress.count { $0.state == .needsInput } == 2 }
            try await other.answer(["confirm": true])
            let end = try await other.end()
            #expect(end.devices == [VendorID("bf01")] && end.message == "1 added, 0 changed, 1 skipped.")
            #expect(other.host.secrets[VendorID("bf01")] == ["local_key": "0123456789abcdef"])
            #expect(other.host.descriptions[VendorID("bf01")]?.name == "Lamp bf01")
        }
    }

    @Test("a device is unpaired through the account, and stays where the cloud refuses")
    func unpair() async throws {
        try await withCloud { cloud, pairing in
            try await pairing.start("account", Self.account)
            #expect(try await pairing.end().state == .succeeded)
            cloud.account = [CloudDevice(id: "bf01", name: "Lamp", localKey: try LocalKey("0123456789abcdef"))]
            let other = try PairingRig(pairing.rig, "p-2")
            try await other.start("cloud", ["devices": "all"])
            #expect(try await other.end().state == .succeeded)
            cloud.trouble = CloudError(.unreachable, "No way.")
            await #expect(throws: CommandError.self) {
                try await pairing.rig.adapter.remove(VendorID("bf01"), unpair: true)
            }
            cloud.trouble = nil
            try await pairing.rig.adapter.remove(VendorID("bf01"), unpair: true)
            #expect(cloud.unbound == ["bf01"])
            await #expect(throws: CommandError.self) {
                try await pairing.rig.adapter.remove(VendorID("bf01"), unpair: false)
            }
        }
    }

    @Test("an account of the configuration is not changed by a session")
    func configured() async throws {
        let account: JSON = ["region": "eu", "client_id": "client", "secret": "s", "uid": "user"]
        let rig = try await AdapterRig(["discovery": ["enabled": false], "cloud": account])
        let pairing = try PairingRig(rig)
        try await pairing.start("account")
        #expect(try await pairing.end().failure?.code == "conflict")
        await rig.adapter.stop()
    }

    @Test("options that the operator sets leave what pairing found out")
    func options() async throws {
        try await withCloud { cloud, pairing in
            let mapping: JSON = ["20": ["code": "switch_led", "type": "Boolean", "values": "{}"]]
            let list: JSON = [
                ["id": "bf01", "key": "0123456789abcdef", "name": "Lamp", "category": "dj", "mapping": mapping]
            ]
            try await pairing.start("import", ["json": .string(list.text), "confirm": true])
            #expect(try await pairing.end().state == .succeeded)
            let id = VendorID("bf01")
            let before = try #require(pairing.host.descriptions[id])
            #expect(!before.properties.isEmpty)
            _ = try await pairing.rig.adapter.configure(
                ConfigurationChange(device: id, options: ["address": "127.0.0.1", "port": 1])
            )
            let after = try #require(pairing.host.descriptions[id])
            #expect(after.name == "Lamp" && after.properties == before.properties)
        }
    }

    @Test("without an account its devices cannot be asked for")
    func none() async throws {
        try await withCloud { _, pairing in
            try await pairing.start("cloud")
            #expect(try await pairing.end().failure?.code == "account_missing")
        }
    }
}
