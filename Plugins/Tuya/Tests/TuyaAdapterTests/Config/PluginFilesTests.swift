import HomeModel
import JSON
import Testing
import TuyaAdapter

/// The files in the plugin's folder say what the code does.
@Suite("The plugin's files")
struct PluginFilesTests {
    private func file(_ name: String) throws -> [UInt8] {
        let folder = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        return try readFile(folder + "/" + name)
    }

    private func json(_ name: String) throws -> JSON { try JSON.parse(file(name)) }

    @Test("the manifest names the plugin's version, secrets and schema")
    func manifest() throws {
        let manifest = try json("plugin.json")
        #expect(manifest["id"] == "tuya" && manifest["executable"] == "lintel-plugin-tuya")
        #expect(manifest["version"] == .string(TuyaAdapter.version))
        #expect(manifest["secrets"] == ["local_key"])
        #expect(manifest["configSchema"] == "config.schema.json")
    }

    @Test("the manifest's ways of pairing are those of the code, each with a form that a gateway can read")
    func pairing() throws {
        let listed = try #require(try json("plugin.json")["pairing"]?.arrayValue)
        let expected = PairingMethods.all.map(\.json)
        #expect(listed == expected, "expected: \(JSON.array(expected).text)")
        #expect(listed.compactMap { PairingMethod(json: $0) } == PairingMethods.all)
        #expect(PairingMethods.all.map(\.id) == TuyaPairingMethod.allCases.map(\.rawValue))
    }

    @Test("every key of the schema's pairing section is read by the plugin")
    func pairingSchema() throws {
        let section = try #require(try json("config.schema.json")["$defs"]?["pairing"]?["properties"]?.objectValue)
        #expect(section.count == 3)
        for key in section.keys {
            _ = try TuyaConfig(json: ["pairing": .object([key: .null])])
            for part in section[key]?["properties"]?.objectValue?.keys.map({ $0 }) ?? [] {
                _ = try TuyaConfig(json: ["pairing": .object([key: .object([part: .null])])])
            }
        }
    }

    @Test("every key of the schema is read by the plugin, and the local key is a secret")
    func schema() throws {
        let schema = try json("config.schema.json")
        let device = try #require(schema["$defs"]?["device"]?["properties"]?.objectValue)
        #expect(device["local_key"]?["x-secret"] == true)
        for key in device.keys {
            var entry: JSONObject = ["id": "a", "local_key": "0123456789abcdef"]
            if entry[key] == nil { entry[key] = .null }
            _ = try TuyaConfig(json: ["devices": [.object(entry)]])
        }
        for (part, definition) in [("discovery", "discovery"), ("light", "light")] {
            for key in schema["$defs"]?[definition]?["properties"]?.objectValue?.keys.map({ $0 }) ?? [] {
                let object: JSON = .object([key: .null])
                let config: JSON =
                    part == "light"
                    ? ["devices": [["id": "a", "local_key": "0123456789abcdef", "light": object]]]
                    : ["discovery": object]
                _ = try TuyaConfig(json: config)
            }
        }
        let account = try #require(schema["$defs"]?["account"]?["properties"]?.objectValue)
        #expect(account["secret"]?["x-secret"] == true)
        for key in account.keys where key != "url" {
            var entry: JSONObject = ["region": "eu", "client_id": "c", "secret": "s", "uid": "u"]
            if entry[key] == nil { entry[key] = .null }
            #expect(try TuyaConfig(json: ["cloud": .object(entry)]).accounts.count == 1)
        }
        let regions = account["region"]?["enum"]?.arrayValue?.compactMap(\.stringValue)
        #expect(regions == CloudRegion.allCases.map(\.rawValue))
        // A section without either is wrong to the plugin, and so to lintel config check.
        let choices = schema["$defs"]?["account"]?["anyOf"]?.arrayValue?.compactMap { $0["required"]?[0]?.stringValue }
        #expect(choices == ["region", "url"])
    }

    @Test(
        "every quirk of the table is done, exempt with a reason, or to do, and each that is done names tests that exist"
    )
    func quality() throws {
        let quality = try json("quality.json")
        let quirks = try #require(quality["quirks"]?.objectValue)
        #expect(quirks.keys.compactMap { Int($0) }.sorted() == Array(1...50))
        let tests = try allTests()
        for (number, entry) in quirks {
            let status = entry["status"]?.stringValue
            #expect(["done", "exempt", "todo"].contains(status), "\(number)")
            if status == "done" {
                let known = tests.contains { text in
                    text.contains("\"quirk \(number):") || text.contains(" quirk \(number):")
                        || text.contains("quirk \(number),")
                }
                #expect(known, "no test is named after quirk \(number)")
            } else {
                #expect(entry["reason"]?.stringValue?.isEmpty == false, "\(number)")
            }
        }
    }

    private func allTests() throws -> [String] {
        let folder = "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        return try ["Session", "Adapter", "Config", "Model", "Discovery"].flatMap { part in
            try filesOf(folder + "/" + part).map { String(decoding: try readFile($0), as: UTF8.self) }
        }
    }
}
