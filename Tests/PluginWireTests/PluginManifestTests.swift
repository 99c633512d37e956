import HomeModel
import JSON
import PluginWire
import Testing

@Suite("PluginManifest")
struct PluginManifestTests {
    private static let cloud: JSON = [
        "id": "cloud", "title": "Cloud", "description": "By account.", "needs": ["wifi", "cloud"], "colour": "red",
        "form": ["title": "Network", "schema": ["properties": ["ssid": ["type": "string", "title": "Name"]]]],
    ]
    private static let good: JSONObject = [
        "id": "tuya", "name": "Tuya", "version": "1.0.0", "protocols": [1], "executable": "lintel-plugin-tuya",
        "arguments": ["--fast"], "vendor": "Tuya", "description": "Lamps.", "configSchema": "config.schema.json",
        "secrets": ["local_key"], "pairing": ["ap", cloud], "needs": ["network": "lan", "wifi": true], "colour": "blue",
    ]

    @Test("a whole manifest is read, and unknown keys are named")
    func whole() throws {
        let manifest = try PluginManifest(bytes: JSON.object(Self.good).serialized())
        #expect(manifest.id.text == "tuya")
        #expect(manifest.protocols == .ours)
        #expect(manifest.arguments == ["--fast"])
        #expect(manifest.configSchema == "config.schema.json")
        #expect(manifest.needs.network == .lan && manifest.needs.wifi)
        #expect(manifest.unknownKeys == ["colour", "pairing[1].colour"])
        let form = InputForm(title: "Network", fields: [InputField("ssid", title: "Name", isRequired: false)])
        #expect(
            manifest.pairing == [
                PairingMethod("ap"),
                PairingMethod(
                    "cloud",
                    title: "Cloud",
                    description: "By account.",
                    needs: ["wifi", "cloud"],
                    form: form
                ),
            ]
        )
    }

    @Test(
        "each key is checked",
        arguments: [
            ("id", JSON.string("Tuya")), ("id", .null), ("name", ""),
            ("name", .string(String(repeating: "x", count: 65))),
            ("version", 1), ("protocols", 1), ("protocols", []), ("protocols", [0]), ("protocols", [1, "2"]),
            ("executable", ""), ("executable", "/bin/sh"), ("executable", "../x"), ("executable", "a/../../x"),
            ("executable", "a\0b"), ("arguments", "x"), ("arguments", [1]), ("arguments", ["a\0b"]), ("vendor", nil),
            ("description", .string(String(repeating: "x", count: 257))), ("configSchema", "/etc/passwd"),
            ("secrets", [1]), ("pairing", true), ("pairing", [1]), ("pairing", ["A"]), ("pairing", [[:]]),
            ("pairing", ["ap", "ap"]),
            ("pairing", ["ap", ["id": "ap"]]), ("pairing", [["id": "ap", "title": ""]]),
            ("pairing", [["id": "ap", "description": 1]]), ("pairing", [["id": "ap", "needs": "wifi"]]),
            ("pairing", [["id": "ap", "needs": ["wifi", "moon"]]]), ("pairing", [["id": "ap", "form": [:]]]),
            (
                "pairing",
                [["id": "ap", "form": ["title": "x", "schema": ["properties": ["a": ["type": "array"]]]]]]
            ), ("pairing", .array((0..<33).map { .string("m\($0)") })), ("needs", []), ("needs", ["network": "moon"]),
            ("needs", ["wifi": 1]),
        ] as [(String, JSON)]
    )
    func eachKey(key: String, value: JSON) {
        var members = Self.good
        members[key] = value
        let fault = #expect(throws: ManifestFault.self) { try PluginManifest(json: .object(members)) }
        #expect(fault?.problems.count == 1)
        #expect(fault?.description.contains("\"\(key)") == true)
    }

    @Test("all problems are reported at once")
    func all() {
        let fault = #expect(throws: ManifestFault.self) { try PluginManifest(json: [:]) }
        #expect(fault?.problems.count == 7)
    }

    @Test("text that is not JSON, or has a key twice, is refused", arguments: ["", "{", #"{"id":"a","id":"b"}"#])
    func notJSON(text: String) {
        let fault = #expect(throws: ManifestFault.self) { try PluginManifest(bytes: Array(text.utf8)) }
        #expect(fault?.problems.first?.hasPrefix("it is not JSON") == true)
    }

    @Test(
        "the highest common version is spoken",
        arguments: [([1], 1), ([3, 1, 2], 1), ([2], nil), ([], nil)] as [([Int], Int?)]
    )
    func versions(theirs: [Int], best: Int?) {
        #expect(ProtocolRange.ours.best(with: ProtocolRange(versions: theirs)) == best)
        #expect(ProtocolRange(versions: [1, 2, 3]).best(with: ProtocolRange(versions: theirs)) == theirs.max())
    }
}
