import EventLoop
import Glibc
import JSON
import TestSupport
import Testing

@Loop
@Suite("Pairing, with a real plugin process", .timeLimit(.minutes(10)))
struct PairingTests {
    @Test("a device comes in by questions and answers, with a secret of the configuration")
    func questions() async throws {
        try await withRadio(Self.plan()) { house in
            let session = try await begin(house, "ask", ["wifi": ["ssid": "home"]])
            try await state(house, session, "needs_input")
            let input: JSON = ["ssid": "home", "password": ["secret_ref": "wifi-home"]]
            let answer = try await house.client.call(
                "bridge/request/pairing/answer",
                ["session": .string(session), "input": input]
            )
            #expect(answer["status"] == "ok")
            let end = try await state(house, session, "succeeded")
            let device = try #require(end["device"]?.stringValue)
            #expect(house.client.json("bridge/device/\(device)")?["name"] == "Stove")
            try expectNoSecret(house)
        }
    }

    @Test("kill -9 of the plugin: its session fails at once, the radio is home, and a new try succeeds")
    func pluginKilled() async throws {
        try await withRadio(Self.plan()) { house in
            let session = try await radioSession(house)
            let plugins = ProcessTable.children(of: house.gateway.pid).filter {
                ProcessTable.commandLine(of: $0).first?.hasSuffix("lintel-plugin-fake") == true
            }
            for plugin in plugins { kill(plugin, SIGKILL) }
            let end = try await state(house, session, "failed")
            #expect(end["error"]?["code"] == "plugin_down" && end["error"]?["retry_from"] == "find_device_ap")
            #expect(access(house.dataDirectory + "/wifi-journal.json", F_OK) != 0)
            try await house.facts.until("the plugin is up again") {
                house.client.json("bridge/plugin/fake")?["state"] == "running"
            }
            let retry = try await house.client.call(
                "bridge/request/pairing/retry",
                ["session": .string(session), "input": ["hold": false]]
            )
            try await state(house, try #require(retry["data"]?["session"]?.stringValue), "succeeded")
            try expectNoSecret(house)
        }
    }

    @Test("kill -9 of the gateway: after its start the session has failed for everybody, and the radio is home")
    func gatewayKilled() async throws {
        try await withRadio(Self.plan()) { house in
            let session = try await radioSession(house)
            try await house.gateway.kill()
            try house.gateway.start()
            let end = try await state(house, session, "failed")
            #expect(end["error"]?["code"] == "interrupted")
            // A step is recorded while it is told, so that the very last one may be missing.
            let step = end["error"]?["step"]?.stringValue ?? ""
            #expect(["join_device_ap", "send_credentials"].contains(step), "\(step)")
            let history = try await house.client.call("bridge/request/pairing/history")
            #expect(history["data"]?["sessions"]?[0]?["state"] == "failed")
            let status = try await house.client.call("bridge/request/wifi/status")
            #expect(status["data"]?["session"] == .null)
            #expect(access(house.dataDirectory + "/wifi-journal.json", F_OK) != 0)
            try expectNoSecret(house)
        }
    }

    @Test("a gateway that is stopped ends its sessions, and brings the radio home before it goes")
    func gatewayStopped() async throws {
        try await withRadio(Self.plan()) { house in
            let session = try await radioSession(house)
            try await house.gateway.stop()
            let end = try await state(house, session, "failed")
            #expect(end["error"]?["code"] == "interrupted")
            #expect(access(house.dataDirectory + "/wifi-journal.json", F_OK) != 0)
        }
    }

    // MARK: Parts

    private static let password = "canary-of-the-wifi"

    /// A house with the fake plugin, and a radio that finds one hotspot.
    private static func plan() throws -> GatewayPlan {
        var plan = GatewayPlan(lamps: 1)
        plan.fakePlugin = []
        plan.startsGateway = false
        return plan
    }

    private func withRadio(
        _ plan: GatewayPlan,
        _ body: @Loop (TestHouse) async throws -> Void
    ) async throws {
        try await withGateway(plan) { house in
            let air = house.folder.file("air")
            try #require(mkdir(air, 0o700) == 0)
            try house.folder.write(
                #"{"ssid":"Fake-1A2B","signal":-40,"frequency":2412,"secured":false,"#
                    + #""interface":"lo","address":"127.0.0.1","prefix":8,"gateway":"127.0.0.1"}"#,
                to: "air/hotspot.json"
            )
            let radio = try Programs.path("lintel-simulator")
            try house.folder.write(
                house.configuration() + """
                    secrets: {wifi-home: \(Self.password)}
                    wifi: {way: command, command: ["\(radio)", wifi, --air, "\(air)"], home_interface: lo}

                    """,
                to: "lintel.yaml"
            )
            try house.gateway.start()
            _ = try await house.connect()
            try await house.isUp()
            try await house.facts.until("the plugin is up") {
                house.client.json("bridge/plugin/fake")?["state"] == "running"
            }
            try await body(house)
        }
    }

    private func begin(_ house: TestHouse, _ method: String, _ arguments: JSONObject) async throws -> String {
        var request: JSONObject = ["plugin": "fake", "method": .string(method), "name": "Stove"]
        for (key, value) in arguments { request[key] = value }
        let answer = try await house.client.call("bridge/request/pairing/start", request)
        try #require(answer["status"] == "accepted", "\(answer.text)")
        return try #require(answer["data"]?["session"]?.stringValue)
    }

    /// A session that has moved the radio and stays there.
    private func radioSession(_ house: TestHouse) async throws -> String {
        let session = try await begin(house, "radio", ["input": ["hold": true]])
        try await house.facts.until("the radio is away") {
            house.client.json("bridge/pairing/\(session)")?["step"] == "send_credentials"
        }
        #expect(access(house.dataDirectory + "/wifi-journal.json", F_OK) == 0)
        return session
    }

    @discardableResult
    private func state(_ house: TestHouse, _ session: String, _ wanted: String) async throws -> JSON {
        try await house.facts.until("the session is \(wanted)") {
            house.client.json("bridge/pairing/\(session)")?["state"]?.stringValue == wanted
        }
        return try #require(house.client.json("bridge/pairing/\(session)"))
    }

    /// The secret is in nothing that went out, and in no file of the gateway's.
    private func expectNoSecret(_ house: TestHouse) throws {
        for heard in house.client.heard where !heard.topic.contains("/request/") {
            #expect(!heard.text.contains(Self.password), "\(heard.topic)")
        }
        #expect(!house.gateway.text.contains(Self.password))
        let needle = Array(Self.password.utf8)
        for file in TextFile.files(below: house.dataDirectory) {
            guard let bytes = TextFile.bytes(file) else { continue }
            #expect(!bytes.contains(needle), "\(file)")
        }
    }
}
