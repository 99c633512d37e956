import EventLoop
import Glibc
import JSON
import TestSupport
import Testing

/// Sessions that are cut off in each of their steps: by a person, and by a kill of plugin and gateway.
@Loop
@Suite(
    "A pairing that is cut off",
    .enabled(if: SiteNetwork.isPossible, "network namespaces need root"),
    .timeLimit(.minutes(20))
)
struct PairingCutTests {
    /// The steps in which the work is done, and what the person answers before.
    nonisolated static let plus = [
        "preflight", "token", "find_device_ap", "join_device_ap", "open_channel", "query_device", "list_networks",
        "choose_network", "send_credentials", "return_home", "device_joins_wifi", "find_on_lan", "handshake",
    ]
    nonisolated static let legacy = [
        "find_device_ap", "join_device_ap", "send_credentials", "return_home", "device_joins_wifi",
    ]

    /// Each step of each process.
    nonisolated static let all =
        plus.map { Cut(method: "ap", step: $0) } + legacy.map { Cut(method: "ap-legacy", step: $0) }

    /// Where a session is cut off.
    struct Cut: Sendable, CustomTestStringConvertible {
        let method: String
        let step: String

        var testDescription: String { "\(method) in \(step)" }

        /// A device that takes its time.
        var plan: SitePlan {
            let device: JSONObject = ["join_ms": 1500, "activation_ms": 500]
            return method == "ap" ? .plus(device) : .legacy("legacy-udp", device)
        }
    }

    @Test("cancelled in each step: the radio is home, the end is clear", arguments: all)
    func cancelled(cut: Cut) async throws {
        try await withSite(cut.plan) { site in
            let session = try await Self.walk(site, to: cut)
            let answer = try await site.client.request("pairing/cancel", ["session": .string(session)])
            let end = try await site.ended(session)
            try Self.check(end, answer, ["cancelled", "succeeded"])
            try await site.isClean()
            // Nothing is left that would be in the way of the next one.
            if end["state"] == "cancelled" { try await Self.next(site) }
        }
    }

    @Test("kill -9 of the plugin in each step: the session says so, the radio is home", arguments: all)
    func pluginKilled(cut: Cut) async throws {
        try await withSite(cut.plan) { site in
            let session = try await Self.walk(site, to: cut)
            let plugin = try #require(site.gateway.plugins["lintel-plugin-tuya"])
            Glibc.kill(plugin, SIGKILL)
            let end = try await site.ended(session)
            #expect(["failed", "succeeded"].contains(end["state"]?.stringValue ?? ""), "\(end.text)")
            if end["state"] == "failed" {
                #expect(
                    ["plugin_down", "interrupted"].contains(end["error"]?["code"]?.stringValue ?? ""),
                    "\(end.text)"
                )
                #expect(end["error"]?["hint"]?.stringValue?.isEmpty == false)
            }
            try await site.isUp()
            try await site.isClean()
        }
    }

    @Test(
        "kill -9 of the gateway in each step: after its start the radio is home and the session has an end",
        arguments: all
    )
    func gatewayKilled(cut: Cut) async throws {
        try await withSite(cut.plan) { site in
            let session = try await Self.walk(site, to: cut)
            try await site.gateway.kill()
            try await site.facts.until("the broker has noticed") { site.client.text("bridge/state") == "offline" }
            try site.gateway.start()
            try await site.isUp()
            let history = try await site.client.request("pairing/history")
            let sessions = history["data"]?["sessions"]?.arrayValue ?? []
            let mine = try #require(sessions.first { $0["session"]?.stringValue == session }, "\(history.text)")
            #expect(["failed", "succeeded"].contains(mine["state"]?.stringValue ?? ""), "\(mine.text)")
            try await site.facts.until("nothing says that it goes on") {
                site.said(session).map(PairingSite.isFinal) ?? true
            }
            try await site.facts.polling("the radio is home") { Self.isHome(site) }
            try await site.isClean()
        }
    }

    // MARK: On the way

    /// Begins a session and goes on until a step is reached.
    private static func walk(_ site: PairingSite, to cut: Cut) async throws -> String {
        let session = try await site.begin(cut.method, cut.method == "ap" ? [:] : site.network)
        let asks = plus.firstIndex(of: "choose_network") ?? 0
        if cut.method == "ap", let index = plus.firstIndex(of: cut.step), index > asks {
            try await site.answerNetwork(session)
        }
        try await site.reached(cut.step, of: cut.method == "ap" ? plus : legacy, session)
        return session
    }

    private static func check(_ end: JSON, _ answer: JSON, _ states: [String]) throws {
        #expect(states.contains(end["state"]?.stringValue ?? ""), "\(end.text)")
        // What had ended before the request came says so.
        if end["state"] == "cancelled" { #expect(answer["status"] == "ok", "\(answer.text)") }
    }

    /// Another session may begin at once, and end.
    private static func next(_ site: PairingSite) async throws {
        let session = try await site.begin("ap")
        _ = try await site.client.request("pairing/cancel", ["session": .string(session)])
        try await site.ended(session)
        try await site.isClean()
    }

    /// Whether no command of the radio is under way; what it left behind is looked at after.
    private static func isHome(_ site: PairingSite) -> Bool {
        access(site.folder.file("data/wifi-journal.json"), F_OK) != 0
    }
}
