import Config
import Glibc
import HomeModel
import JSON
import Testing

@Suite("Configuration: the files in Config/")
struct SampleTests {
    @Test("every file decodes without a warning")
    func decode() throws {
        let names = try files()
        #expect(names.contains("lintel.yaml"))
        for name in names {
            let text = try contents(of: repository + "/Config/" + name)
            let configuration = try parse(text)
            #expect(configuration.warnings.isEmpty, "\(name)")
        }
    }

    @Test("with every commented key switched on, the sample decodes and shows every key there is")
    func complete() throws {
        let text = try sample { _ in true }.replacing("url: embedded", with: "url: mqtts://broker.example")
        let configuration = try parse(text)
        let tuya = try #require(PluginID("tuya").flatMap { configuration.plugins[$0] })
        #expect(tuya.json["devices"]?[0]?["name"] == "Desk lamp")
        let names = Set(text.split(separator: "\n").compactMap { $0.split(separator: ":").first?.drop { $0 == " " } })
        #expect(configuration.knownKeys.count > 20)
        for key in configuration.knownKeys {
            let name = try #require(key.split(separator: ".").last)
            #expect(names.contains(name), "\(key)")
        }
    }

    @Test("what the sample calls a default is the default")
    func defaults() throws {
        let examples = [
            "username", "password", "client_id", "ca_file", "certificate_file", "key_file", "tls_insecure",
            "plugin_directories", "areas", "interface", "command:", "home_interface", "secrets", "wifi-home", "memory",
            "cloud:", "region", "secret:", "uid", "devices:", "- id", "local_key", "address", "version: \"", "name",
        ]
        let text = try sample { line in line.hasPrefix("devices: 1") || !examples.contains { line.hasPrefix($0) } }
        let configuration = try parse(text)
        #expect(configuration.mqtt == MQTTSettings())
        #expect(configuration.log == LogSettings())
        #expect(configuration.limits == LimitSettings())
        #expect(configuration.wifi == WiFiSettings())
        #expect(configuration.dataDirectory == "/etc/lintel/data")
        let tuya = try #require(PluginID("tuya").flatMap { configuration.plugins[$0] })
        #expect(tuya.isEnabled && tuya.limits == PluginLimits() && tuya.json == [:])
        // Most keys are switched on, or this would say little.
        #expect(text.contains("\n  keep_alive: 60s") && text.contains("\n  command_size: 64KiB"))
    }

    /// The sample with the commented keys switched on that `isOn` says; it gets the line from the key on.
    private func sample(_ isOn: (Substring) -> Bool) throws -> String {
        try contents(of: repository + "/Config/lintel.yaml").split(separator: "\n", omittingEmptySubsequences: false)
            .map { line -> String in
                // Prose has a space behind the #.
                let indentation = line.prefix { $0 == " " }
                let key = line.dropFirst(indentation.count + 1)
                let isKey = line.dropFirst(indentation.count).first == "#" && key.first.map { $0 != " " } ?? false
                return isKey && isOn(key) ? String(indentation + key) : String(line)
            }
            .joined(separator: "\n")
    }

    private func files() throws -> [String] {
        let stream = try #require(opendir(repository + "/Config"))
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasSuffix(".yaml") { names.append(name) }
        }
        return names
    }
}
