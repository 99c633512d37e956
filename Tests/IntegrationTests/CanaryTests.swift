import EventLoop
import Glibc
import JSON
import MQTT
import Simulators
import TestSupport
import Testing
import TuyaProtocol

@Loop
@Suite("Canary secrets", .timeLimit(.minutes(10)))
struct CanaryTests {
    @Test("no secret is in any log line, topic, payload, recording, command line or file but its own")
    func canaries() async throws {
        let folder = try TemporaryFolder()
        let certificates = try await Certificates.make(in: folder)
        var plan = GatewayPlan(lamps: 6, versions: LampVersion.allCases)
        plan.startsGateway = false
        plan.logLevel = "trace"
        plan.broker.users = ["hub": "canary-broker-password", "test": "test"]
        plan.broker.certificates = certificates
        plan.broker.requiresClientCertificate = true
        // A plugin that tells all that it knows in every way that it has, as soon as it is started.
        plan.fakePlugin = [
            "    password: canary-of-a-plugin", "    trouble_at:", "      start:", "        kind: blab",
        ]
        try folder.write("canary-broker-password\n", to: "password")
        try await withGateway(plan) { house in
            var canaries = [
                "canary-broker-password", "canary-of-a-plugin", "secret of fake lamp/1", "secret of fake lamp/2",
            ]
            canaries += house.lamps.map(\.identity.localKey)
            // The lines of a PEM file between its first and its last.
            let key = String(decoding: TextFile.bytes(certificates.clientKey) ?? [], as: UTF8.self)
            canaries += key.split(separator: "\n").filter { !$0.hasPrefix("-") }.map(String.init)
            try #require(canaries.count >= 9)

            try house.folder.write(
                house.configuration().replacing(
                    "  url: mqtt://127.0.0.1:\(house.broker.port)",
                    with: """
                          url: mqtts://127.0.0.1:\(house.broker.port)
                          username: hub
                          password: {file: \(folder.file("password"))}
                          ca_file: \(certificates.caFile)
                          certificate_file: \(certificates.clientCertificate)
                          key_file: \(certificates.clientKey)
                        """
                ),
                to: "lintel.yaml"
            )
            // One lamp was paired again since: its old key is a secret as well, and is refused.
            try house.lamps[4].repair(key: "another-key-here")
            canaries.append("another-key-here")
            let client = try await house.connect { options in
                options.username = "test"
                options.password = MQTTPassword("test")
                options.tls = MQTTTLSOptions(
                    caFile: certificates.caFile,
                    certificateFile: certificates.clientCertificate,
                    keyFile: certificates.clientKey
                )
            }
            try house.gateway.start()
            var said = try await exercise(house, client)
            said += try await outputs(house)
            let processes = [house.gateway.pid] + house.gateway.plugins.values
            for pid in processes {
                said.append(
                    (ProcessTable.commandLine(of: pid) + [ProcessTable.environment(of: pid)]).joined(separator: " ")
                )
            }
            try await house.gateway.stop()
            said.append(house.gateway.text)
            said += client.heard.map { "\($0.topic) \($0.text) \($0.message.properties)" }
            // The plugin's words came through, without what they were about.
            #expect(house.gateway.text.contains("complained"))
            #expect(said.contains { $0.contains("printed") })
            for canary in canaries {
                for form in Self.forms(canary) {
                    for text in said where text.contains(form) {
                        let line = text.split(separator: "\n").first { $0.contains(form) } ?? ""
                        Issue.record("a secret (\(canary.prefix(12))…) is told: \(line.prefix(400))")
                    }
                    leaksToDisk(form, house)
                }
            }
        }
    }

    /// Makes the gateway say as much as it can, also where things go wrong.
    private func exercise(_ house: TestHouse, _ client: TestClient) async throws -> [String] {
        var answers: [String] = []
        try await house.isUp(client, lamps: [0, 1, 2, 3, 5])
        try await house.facts.until("the key is refused") {
            client.json("bridge/device/lamp-5")?["reason"] == "key_changed"
        }
        for index in 1...6 {
            for payload: JSONObject in [
                ["power": false], ["color": ["h": 10, "s": 10]], ["brightness": 999], ["x": 1],
            ] {
                answers.append(try await client.set("lamp-\(index)", payload).text)
            }
            answers.append(try await client.call("device/lamp-\(index)/get").text)
            answers.append(try await client.request("device/get", ["id": .string("lamp-\(index)")]).text)
            answers.append(try await client.request("device/history", ["id": .string("lamp-\(index)")]).text)
            let options: JSONObject = ["id": .string("lamp-\(index)"), "options": ["local_key": "canary-option-0"]]
            answers.append(try await client.request("device/options", options).text)
        }
        // A plugin that dies leaves its last words.
        Glibc.kill(house.gateway.plugins["lintel-plugin-tuya"] ?? 0, SIGKILL)
        try await house.facts.until("the lamps are back") {
            client.all("device/lamp-1/availability").suffix(2).map(\.text) == ["offline", "online"]
        }
        // The second time it knows what it asked the gateway to keep.
        for id in ["fake", "tuya"] {
            answers.append(try await client.request("plugin/reload", ["id": .string(id)]).text)
            answers.append(try await client.request("plugin/logs", ["id": .string(id), "limit": 200]).text)
        }
        try await house.isUp(client, lamps: [0, 1, 2, 3, 5])
        for path in ["info", "health_check", "devices/list", "home/list", "plugin/list", "report", "options", "backup"]
        {
            answers.append(try await client.request(path).text)
        }
        for id in ["fake", "tuya"] {
            let logs = try await client.request("plugin/logs", ["id": .string(id), "limit": 200])
            #expect((logs["data"]?["lines"]?.arrayValue?.count ?? 0) > 10, "\(logs.text)")
            answers.append(logs.text)
        }
        return answers
    }

    /// What the program prints when it is asked about this house, and about a configuration that is wrong in its secrets.
    private func outputs(_ house: TestHouse) async throws -> [String] {
        var texts: [String] = []
        let config = ["--config", house.gateway.configuration]
        for words in [
            ["config", "check", house.gateway.configuration], ["status"] + config, ["plugin", "logs", "tuya"] + config,
            ["device", "lamp-1", "show", "--json"] + config, ["device", "lamp-5", "show"] + config,
        ] {
            let run = try await CommandLineRun.run(words, facts: house.facts)
            texts.append(run.output + run.errors)
        }
        let broken = house.configuration()
            .replacing("        local_key:", with: "        local_kee: 1\n        local_key:")
            .replacing("version: \"3.3\"", with: "version: 3.9")
        let path = try house.folder.write(broken, to: "broken.yaml")
        let run = try await CommandLineRun.run(["config", "check", path], facts: house.facts)
        #expect(run.exit == 3)
        return texts + [run.output + run.errors]
    }

    /// The ways in which a secret could be told by accident.
    private static func forms(_ secret: String) -> [String] {
        let bytes = Array(secret.utf8)
        let digits = Array("0123456789abcdef")
        let hex = String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
        return [secret, JSON.string(secret).text, hex, hex.uppercased(), base64(bytes)]
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var text = ""
        // Whole groups only: what follows them depends on what follows the secret.
        for start in stride(from: 0, to: bytes.count - bytes.count % 3, by: 3) {
            let group = Int(bytes[start]) << 16 | Int(bytes[start + 1]) << 8 | Int(bytes[start + 2])
            for shift in [18, 12, 6, 0] { text.append(alphabet[group >> shift & 63]) }
        }
        return text
    }

    /// Secrets that are kept are sealed.
    private func leaksToDisk(_ form: String, _ house: TestHouse) {
        for path in TextFile.files(below: house.dataDirectory) {
            let bytes = TextFile.bytes(path) ?? []
            let wanted = Array(form.utf8)
            guard bytes.count >= wanted.count, let first = wanted.first else { continue }
            var start = bytes.startIndex
            while let index = bytes[start...].firstIndex(of: first), index + wanted.count <= bytes.count {
                if bytes[index..<(index + wanted.count)].elementsEqual(wanted) {
                    Issue.record("a secret is in \(path)")
                    break
                }
                start = index + 1
            }
        }
    }
}
