import Glibc
import HomeModel
import JSON
import PluginWire
import Testing

/// Keeps PROTOCOL.md true: what plugin authors read is what the code does.
@Suite("PROTOCOL.md")
struct ProtocolDocumentTests {
    private let text: String

    init() throws {
        let folder = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let file = try #require(fopen("/" + folder + "/Sources/PluginWire/PROTOCOL.md", "r"))
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, file)
        text = String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    private var lines: [Substring] { text.split(separator: "\n") }

    /// What stands between ``` after a heading.
    private func example(after heading: String) throws -> String {
        let section = try #require(text.split(separator: "\n## ").first { $0.hasPrefix(heading) })
        let block = try #require(section.split(separator: "```").dropFirst().first)
        return String(block.drop { $0 != "\n" && $0 != "{" })
    }

    @Test("every method is in a table, and no other")
    func methods() {
        let rows = lines.filter { $0.hasPrefix("| `") }.compactMap { $0.split(separator: "|").first }
        let named = rows.joined(separator: ",").split(separator: ",").map { $0.filter { $0 != "`" && $0 != " " } }
        let known = WireMethod.allCases.map(\.rawValue).filter { $0 != WireMethod.cancel.rawValue }
        #expect(Set(named) == Set(known))
        #expect(text.contains("`$/cancel {id}`"))
    }

    @Test("every code of the wire is listed with its number", arguments: ErrorCode.allCases)
    func codes(code: ErrorCode) {
        guard let number = code.wireNumber else { return }
        #expect(text.contains("\(number) `\(code.rawValue)`"))
    }

    @Test("the example manifest is valid and has every key")
    func manifest() throws {
        let manifest = try PluginManifest(json: try JSON.parse(try example(after: "`plugin.json`")))
        #expect(manifest.unknownKeys.isEmpty)
        #expect(manifest.configSchema != nil && !manifest.secrets.isEmpty && manifest.needs.wifi)
        #expect(manifest.pairing.last?.form?.fields.map(\.kind) == [.text, .password])
    }

    @Test("the example description is read whole")
    func description() throws {
        let json = try JSON.parse(try example(after: "Description"))
        let description = try DeviceDescription(json: json)
        #expect(description.properties.count == 2 && description.actions.first?.input != nil)
        #expect(description.kind == .light && description.property("power")?.role == .power)
    }

    @Test(
        "the example sessions are made of messages that both sides understand",
        arguments: [("A session", 3, 3), ("Pairing", 5, 4)]
    )
    func session(heading: String, requests: Int, reports: Int) throws {
        var asked: [WireID: String] = [:]
        var notes = 0
        for line in try example(after: heading).split(separator: "\n") {
            let message = try WireMessage(line: Array(line.dropFirst(2).utf8)[...])
            switch message {
            case .request(let id, let method, let params):
                if line.hasPrefix("→") {
                    _ = try GatewayCall(method: method, params: params)
                } else {
                    _ = try PluginCall(method: method, params: params)
                }
                asked[id] = method
            case .notification(let method, let params):
                #expect(line.hasPrefix("←"))
                #expect(try PluginNote(method: method, params: params) != nil)
                notes += 1
            case .response(let id, let result):
                switch asked[id] {
                case "initialize": _ = try InitializeAnswer(json: result)
                case "wifi/scan": _ = try WiFiScanAnswer(json: result)
                case "wifi/join": _ = try WiFiJoinAnswer(json: result)
                case "device/write": _ = try WriteAnswer(json: result)
                default: #expect(asked[id] != nil)
                }
            case .failure: Issue.record("a failure in the example")
            }
        }
        #expect(asked.count >= requests && notes >= reports)
    }
}
