import EventLoop
import JSON
import MQTT
import Simulators
import Testing

/// Sends payloads that nobody should send, on every topic that commands are taken from, and gathers the answers.
@Loop
final class HostileSender {
    /// All codes that may leave the gateway (mqtt-conventions, section 2).
    static let closedList: Set<String> = [
        "bad_json", "bad_request", "unknown_request", "not_authorized", "device_not_found", "group_not_found",
        "plugin_not_found", "plugin_down", "capability_missing", "value_out_of_range", "device_offline", "device_busy",
        "timeout", "auth_failed", "key_changed", "unsupported_protocol", "cloud_error", "rate_limited", "conflict",
        "invalid_config", "read_only", "property_unknown", "expert_only", "retained_command", "too_large", "internal",
    ]

    private static let window = 200
    private static let answerTopic = "hostile/answers"

    private let house: TestHouse
    private let client: TestClient
    private var random = SeededGenerator(seed: 20_261_130)
    private var waiting: [Int: String] = [:]
    private(set) var sent = 0
    private(set) var answered = 0
    /// How often each code came.
    private(set) var codes: [String: Int] = [:]
    /// Answers that have not the shape of one.
    private(set) var shapeless: [String] = []

    init(_ house: TestHouse, _ client: TestClient) {
        self.house = house
        self.client = client
    }

    /// Begins to take answers.
    func listen() {
        client.client.onMessage = { [weak self] in self?.received($0) }
    }

    /// Sends so many payloads, and returns when the last of them is answered.
    func send(_ count: Int) async throws {
        for _ in 0..<count {
            if waiting.count >= Self.window {
                try await house.facts.until("answers to \(waiting.values.sorted().prefix(5))") { [self] in
                    waiting.count < Self.window / 2
                }
            }
            sendOne()
        }
        try await house.facts.until("answers to \(waiting.values.sorted().prefix(5))") { [self] in waiting.isEmpty }
    }

    private func sendOne() {
        sent += 1
        let topic = topic()
        let payload = payload()
        waiting[sent] = "\(topic) \(String(decoding: payload.prefix(80), as: UTF8.self)) (\(payload.count) bytes)"
        client.publish(
            topic,
            payload,
            properties: MQTTProperties(
                contentType: random.next() % 4 == 0 ? "image/jpeg" : nil,
                responseTopic: Self.answerTopic,
                correlationData: Array("\(sent)".utf8)
            )
        )
    }

    private func received(_ message: MQTTMessage) {
        defer { house.facts.changed() }
        let text = message.properties.correlationData.map { String(decoding: $0, as: UTF8.self) } ?? ""
        guard let number = Int(text), waiting.removeValue(forKey: number) != nil else {
            shapeless.append("answer to nothing: \(text) \(message.text.prefix(200))")
            return
        }
        answered += 1
        let answer = try? JSON.parse(message.payload)
        switch answer?["status"]?.stringValue {
        case "ok", "accepted": codes["ok", default: 0] += 1
        case "error" where answer?["error"]?["code"]?.stringValue != nil:
            codes[answer?["error"]?["code"]?.stringValue ?? "", default: 0] += 1
        default: shapeless.append(message.text)
        }
    }

    // MARK: What is sent

    private func topic() -> String {
        let ids = [
            "lamp-1", "lamp-2", "lamp-3", "LAMP", "ä", String(repeating: "x", count: 300), "", "$SYS", "..", "null",
        ]
        let id = ids[below(random.next() % 2 == 0 ? 2 : ids.count)]
        switch below(10) {
        case 0...3: return "device/\(id)/set"
        case 4: return "device/\(id)/get"
        case 5: return "device/\(id)/action/\(["blink", "", "ä", "x/y", "set"][below(3)])"
        default:
            let paths = [
                "info", "health_check", "devices/list", "device/get", "device/rename", "device/move", "device/options",
                "device/remove", "device/history", "home/add", "home/remove", "home/rename", "room/add", "room/rename",
                "room/remove", "plugin/list", "plugin/logs", "mqtt/sweep", "log/levels", "no/such", "a/b/c/d/e/f",
                "set", "",
            ]
            return "bridge/request/\(paths[below(paths.count)])"
        }
    }

    private func payload() -> [UInt8] {
        switch below(40) {
        case 0...7: return noise(below(200))
        case 8...21: return mutated(Self.good[below(Self.good.count)])
        case 22...27: return Array(Self.good[below(Self.good.count)].utf8)
        case 28: return nested(16 + below(3))
        case 29: return nested(1 + below(4_000))
        case 30: return Array(#"{"power":"#.utf8) + nested(40) + Array("}".utf8)
        case 31: return [0xEF, 0xBB, 0xBF] + Array(#"{"power":true}"#.utf8)
        case 32: return Array(#"{"name":""#.utf8) + [0xC3, 0x28, 0xFF, 0x00] + Array(#"","id":"lamp-1"}"#.utf8)
        case 33: return Array(#"{"id":"lamp-1","name":"\#(text(below(70_000)))"}"#.utf8)
        case 34: return Array(#"{"brightness":\#(Self.numbers[below(Self.numbers.count)])}"#.utf8)
        case 35: return Array(#"{"power":true,"power":false}"#.utf8)
        case 36: return Array(#"{"transaction":\#(text(below(400))),"power":true}"#.utf8)
        case 37: return keys(below(2_000))
        case 38: return []
        // A hundred of these would be a hundred megabytes.
        default: return sent % 10 == 0 ? large(1 << 20) : large(60_000 + below(10_000))
        }
    }

    private static let good = [
        #"{"power":true,"brightness":128,"transition":1.5,"transaction":"ha-9"}"#, #"{"color":{"h":240,"s":100}}"#,
        #"{"properties":["power","brightness"]}"#, #"{"id":"lamp-1","name":"Desk lamp"}"#,
        #"{"id":"lamp-2","room":null}"#,
        #"{"offset":0,"limit":50}"#, #"{"id":"lamp-1","options":{"name":1,"x":null}}"#, #"{"name":"Home"}"#,
        #"{"id":"tuya","limit":5}"#, #"{"dry_run":true}"#, "lamp-1", #"{"dp_99":[1,2,{"a":"\u0000"}],"expert":true}"#,
    ]

    private static let numbers = [
        "1e400", "-1e400", "1e-400", "99999999999999999999999", "-0", "0.1", "1.0", "NaN", "00", "+1", ".5", "1.",
        "0x10",
        "18446744073709551615", "-9223372036854775808", "1e2",
    ]

    private func below(_ count: Int) -> Int { Int(random.next() % UInt64(max(1, count))) }

    private func noise(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) } }

    private func mutated(_ text: String) -> [UInt8] {
        var bytes = Array(text.utf8)
        for _ in 0...below(4) {
            guard !bytes.isEmpty else { break }
            let index = below(bytes.count)
            switch below(4) {
            case 0: bytes[index] = UInt8(truncatingIfNeeded: random.next())
            case 1: bytes.remove(at: index)
            case 2: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: index)
            default: bytes.removeSubrange(index...)
            }
        }
        return bytes
    }

    private func nested(_ depth: Int) -> [UInt8] {
        let opening = Array((random.next() % 2 == 0 ? "[" : #"{"a":"#).utf8)
        let closing = UInt8(ascii: opening.count == 1 ? "]" : "}")
        let open = (0..<depth).flatMap { _ in opening }
        return random.next() % 3 == 0 ? open : open + Array("1".utf8) + (0..<depth).map { _ in closing }
    }

    private func text(_ count: Int) -> String { random.text(count, of: "abc äöü😀") }

    private func keys(_ count: Int) -> [UInt8] {
        Array("{\((0..<count).map { #""key\#($0)":\#($0)"# }.joined(separator: ","))}".utf8)
    }

    private func large(_ count: Int) -> [UInt8] {
        switch below(3) {
        case 0: [UInt8](repeating: UInt8(ascii: "["), count: count)
        case 1: Array(#"{"power":true}"#.utf8) + [UInt8](repeating: UInt8(ascii: " "), count: count)
        default: [UInt8](repeating: UInt8(truncatingIfNeeded: random.next()), count: count)
        }
    }
}
