import EventLoop
import Glibc
import JSON
import TestSupport
import Testing

extension PairingSite {
    /// Begins a session and returns its id.
    func begin(_ method: String, _ input: JSONObject = [:], _ place: JSONObject = [:]) async throws -> String {
        var request: JSONObject = ["plugin": "tuya", "method": .string(method), "input": .object(input)]
        for (key, value) in place { request[key] = value }
        let answer = try await client.request("pairing/start", request)
        #expect(answer["status"] == "accepted", "\(answer.text)")
        return try #require(answer["data"]?["session"]?.stringValue, "\(answer.text)")
    }

    /// The newest that was said of a session.
    func said(_ session: String) -> JSON? { client.json("bridge/pairing/\(session)") }

    /// All that was said of a session.
    func story(of session: String) -> [JSON] { client.all("bridge/pairing/\(session)").compactMap(\.json) }

    /// Waits for what is said of a session.
    @discardableResult
    func until(
        _ session: String,
        _ what: String,
        within patience: Duration = Facts.patience,
        _ condition: @escaping @Loop (JSON) -> Bool
    ) async throws -> JSON {
        try await facts.until("\(session): \(what)", within: patience) { [self] in said(session).map(condition) ?? false
        }
        return said(session) ?? .null
    }

    /// Waits until a session has come to a step or, where that took no time, to one after it, or has ended.
    @discardableResult
    func reached(_ step: String, of steps: [String], _ session: String) async throws -> JSON {
        let late = Set(steps.drop { $0 != step })
        try await facts.until("\(session) reaches \(step)") { [self] in
            story(of: session).contains { late.contains($0["step"]?.stringValue ?? "") || Self.isFinal($0) }
        }
        return said(session) ?? .null
    }

    /// Waits until a session asks for a field.
    @discardableResult
    func asked(for field: String, _ session: String) async throws -> JSON {
        let payload = try await until(session, "asks for \(field)") {
            $0["needs_input"]?["schema"]?["properties"]?[field] != nil || Self.isFinal($0)
        }
        try #require(!Self.isFinal(payload), "\(payload.text)")
        return payload
    }

    func answer(_ session: String, _ input: JSONObject) async throws {
        let answer = try await client.request("pairing/answer", ["session": .string(session), "input": .object(input)])
        #expect(answer["status"] == "ok", "\(answer.text)")
    }

    /// Answers with the network of the home and its password.
    func answerNetwork(_ session: String, ssid: String = network, password: String = password) async throws {
        try await asked(for: "ssid", session)
        try await answer(session, ["ssid": .string(ssid), "password": .string(password)])
    }

    /// Waits for a session's end.
    @discardableResult
    func ended(_ session: String, within patience: Duration = .seconds(90)) async throws -> JSON {
        try await until(session, "ends", within: patience, Self.isFinal)
    }

    nonisolated static func isFinal(_ payload: JSON) -> Bool {
        ["succeeded", "failed", "cancelled", "expired"].contains(payload["state"]?.stringValue ?? "")
    }

    // MARK: What must be so in the end

    /// The device that came in can be commanded, and confirms it.
    func commands(_ payload: JSON) async throws {
        let device = try #require(payload["device"]?.stringValue, "\(payload.text)")
        try await facts.until("\(device) is online") { [self] in
            client.text("device/\(device)/availability") == "online"
        }
        for isOn in [true, false, true] {
            let answer = try await client.set(device, ["power": .bool(isOn)])
            #expect(answer["stage"] == "confirmed", "\(answer.text)")
        }
    }

    /// The radio is where it was, and no secret is anywhere outside.
    func isClean() async throws {
        #expect(try await hosts.addresses(of: "wlan0") == [], "the radio is not home")
        #expect(try await hosts.addresses(of: "eth0") == ["\(SiteNetwork.hubAddress)/24"])
        for secret in secrets {
            let text = JSON.string(secret).text.dropFirst().dropLast()
            let said = client.heard.filter { !$0.topic.contains("/request/") && $0.text.contains(text) }
            #expect(said.isEmpty, "a secret is on MQTT: \(said.map(\.topic))")
            #expect(!gateway.text.contains(secret), "a secret is in the log")
            #expect(!gateway.text.contains(text), "a secret is in the log")
            let found = try? await Command.run("grep", ["-rlaF", "--", secret, folder.file("data")])
            #expect(found == nil, "a secret is on disk: \(found ?? "")")
        }
    }
}
