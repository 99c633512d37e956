import EventLoop
import Glibc
import JSON
import TestSupport
import Testing

/// Pairing from start to end, with the vendor's real addresses and ports, between network namespaces.
@Loop
@Suite(
    "Pairing in a device's hotspot",
    .enabled(if: SiteNetwork.isPossible, "network namespaces need root"),
    .timeLimit(.minutes(15))
)
struct PairingInHotspotTests {
    @Test(
        "the old process: the device comes in, in every way that old firmware listens",
        arguments: ["legacy-udp", "legacy-tcp"]
    )
    func legacy(habit: String) async throws {
        try await withSite(.legacy(habit)) { site in
            let session = try await site.begin("ap-legacy", site.network)
            let end = try await site.ended(session)
            #expect(end["state"] == "succeeded", "\(end.text)")
            try await site.commands(end)
            try await site.isClean()
        }
    }

    @Test("the old process with a device that says nothing: a time-out with the vendor's number, and the radio is home")
    func legacyTimeout() async throws {
        try await withSite(.legacy("legacy-udp", ["silent": true])) { site in
            var input = site.network
            input["timeout"] = 3
            let session = try await site.begin("ap-legacy", input)
            let end = try await site.ended(session)
            #expect(end["state"] == "failed")
            #expect(end["error"]?["vendor_code"] == "207220", "\(end.text)")
            #expect(end["error"]?["code"] == "timeout")
            #expect(end["error"]?["hint"]?.stringValue?.isEmpty == false)
            try await site.isClean()
        }
    }

    @Test("the new process: the networks that the device sees are the choice; controllable soon after it has joined")
    func plus() async throws {
        try await withSite(.plus()) { site in
            let session = try await site.begin("ap")
            let question = try await site.asked(for: "ssid", session)
            let options = question["needs_input"]?["schema"]?["properties"]?["ssid"]?["anyOf"]?.arrayValue ?? []
            #expect(options.contains { $0["const"]?.stringValue == PairingSite.network }, "\(question.text)")
            let moment = Loop.now
            try await site.answerNetwork(session)
            let end = try await site.ended(session)
            #expect(end["state"] == "succeeded", "\(end.text)")
            let device = try #require(end["device"]?.stringValue)
            try await site.facts.until("it is online") { site.client.text("device/\(device)/availability") == "online" }
            let time = Loop.now - moment
            Figures.note("credentials sent to device controllable: \(time), of which the device joins for 300 ms")
            #expect(time < .seconds(6))
            try await site.commands(end)
            let details = try #require(site.client.json("bridge/device/\(device)"))
            #expect(details["plugin"] == "tuya", "\(details.text)")
            try await site.isClean()
        }
    }

    @Test(
        "the device comes into the home and the room that were asked for, with its name; paired again it keeps its id"
    )
    func home() async throws {
        try await withSite(.plus()) { site in
            _ = try await site.client.request("home/add", ["name": "Villa"])
            _ = try await site.client.request("room/add", ["name": "Hall", "home": "villa"])
            let place: JSONObject = ["home": "villa", "room": "hall", "name": "Stairs"]
            let first = try await site.ended(site.begin("ap", site.network, place))
            #expect(first["state"] == "succeeded", "\(first.text)")
            let id = try #require(first["device"]?.stringValue)
            try await site.commands(first)
            let details = try #require(site.client.json("bridge/device/\(id)"))
            #expect(details["home"] == "villa", "\(details.text)")
            #expect(details["room"] == "hall")
            #expect(details["name"] == "Stairs")

            // Somebody resets it: the new key takes the old one's place, and nothing else changes.
            site.device.say(#"{"device":1,"press":"reset"}"#)
            try await site.facts.polling("it opens its hotspot again") {
                site.device.text.count(of: "opens its hotspot") > 1
            }
            let second = try await site.ended(site.begin("ap", site.network))
            #expect(second["state"] == "succeeded", "\(second.text)")
            #expect(second["device"]?.stringValue == id)
            try await site.commands(second)
            let again = try #require(site.client.json("bridge/device/\(id)"))
            #expect(again["name"] == "Stairs", "\(again.text)")
            #expect(again["room"] == "hall")
            #expect(again["created_at"] == details["created_at"])
            try await site.isClean()
        }
    }

    @Test("a wrong password is asked for again in the same session, which then succeeds")
    func wrongPassword() async throws {
        try await withSite(.plus(["reports_failures": true, "returns_after_ms": 300])) { site in
            site.secrets.append("quite wrong 1")
            let session = try await site.begin("ap")
            try await site.answerNetwork(session, password: "quite wrong 1")
            let again = try await site.until(session, "asks again") {
                $0["needs_input"]?["error"]?["vendor_code"] == "207211" || PairingSite.isFinal($0)
            }
            #expect(again["needs_input"]?["error"]?["code"] == "wifi_wrong_password", "\(again.text)")
            try await site.answerNetwork(session)
            let end = try await site.ended(session)
            #expect(end["state"] == "succeeded", "\(end.text)")
            try await site.commands(end)
            try await site.isClean()
        }
    }

    @Test(
        "what a device reports of its failure comes out with the vendor's number",
        arguments: [("not_found", "207210", "wifi_not_found"), ("no_lease", "207213", "no_dhcp_lease")]
    )
    func reports(outcome: String, number: String, code: String) async throws {
        let network: JSON = [
            "ssid": .string(PairingSite.network), "password": .string(PairingSite.password),
            "outcome": .string(outcome),
        ]
        let plan: JSONObject = ["reports_failures": true, "returns_after_ms": 300, "networks": [network]]
        try await withSite(.plus(plan)) { site in
            let session = try await site.begin("ap")
            try await site.answerNetwork(session)
            let told = try await site.until(session, "says what failed") {
                ($0["needs_input"]?["error"] ?? $0["error"])?["vendor_code"]?.stringValue == number
                    || PairingSite.isFinal($0)
            }
            let error = told["needs_input"]?["error"] ?? told["error"]
            #expect(error?["code"]?.stringValue == code, "\(told.text)")
            if !PairingSite.isFinal(told) {
                _ = try await site.client.request("pairing/cancel", ["session": .string(session)])
            }
            try await site.ended(session)
            try await site.isClean()
        }
    }

    @Test("a token that the cloud refuses: the device's hotspot returns, and the second try succeeds")
    func refusedToken() async throws {
        try await withSite(.plus(["refusal_return_ms": 300])) { site in
            try await site.cloud("refuse", ["code": "28841002", "msg": "no more devices"])
            let session = try await site.begin("ap")
            try await site.answerNetwork(session)
            let told = try await site.until(session, "says that the cloud refused") {
                $0["error"]?["vendor_code"] != nil || $0["needs_input"]?["error"] != nil || PairingSite.isFinal($0)
            }
            let error = told["needs_input"]?["error"] ?? told["error"]
            let number = error?["vendor_code"]?.stringValue ?? ""
            #expect(["207214", "207216"].contains(number), "\(told.text)")
            var second = session
            if PairingSite.isFinal(told) {
                let answer = try await site.client.request("pairing/retry", ["session": .string(session)])
                second = try #require(answer["data"]?["session"]?.stringValue, "\(answer.text)")
            } else {
                try await site.answerNetwork(session)
            }
            let end = try await site.ended(second)
            #expect(end["state"] == "succeeded", "\(end.text)")
            try await site.commands(end)
            try await site.isClean()
        }
    }

    @Test("a device with a code on it: nothing is announced, and the code opens the channel")
    func pincode() async throws {
        try await withSite(.plus(["pincode": "12345678"])) { site in
            let input: JSONObject = ["pincode": "12345678", "uuid": "f1e2d3c4b5a697887766"]
            let session = try await site.begin("ap-plus", input)
            try await site.answerNetwork(session)
            let end = try await site.ended(session)
            #expect(end["state"] == "succeeded", "\(end.text)")
            try await site.commands(end)
            site.secrets.append("12345678")
            try await site.isClean()
        }
    }

    @Test("an answer that is lost with the hotspot is no failure")
    func lostAnswer() async throws {
        try await withSite(.plus(["loses_answer": true])) { site in
            let session = try await site.begin("ap")
            try await site.answerNetwork(session)
            let end = try await site.ended(session)
            #expect(end["state"] == "succeeded", "\(end.text)")
            try await site.commands(end)
            try await site.isClean()
        }
    }

    @Test(
        "a device that is silent for ever ends with a number and the radio at home",
        arguments: ["silent", "no handshake"]
    )
    func silent(way: String) async throws {
        let device: JSONObject = way == "silent" ? ["silent": true] : ["starts_handshake": false]
        var plan = SitePlan.plus(device)
        plan.timing = ["channel_ms: 2000", "query_ms: 1500", "listing_ms: 2000"]
        try await withSite(plan) { site in
            let session = try await site.begin("ap-plus")
            let end = try await site.ended(session)
            #expect(end["state"] == "failed", "\(end.text)")
            #expect(["207201", "207206"].contains(end["error"]?["vendor_code"]?.stringValue ?? ""), "\(end.text)")
            try await site.isClean()
        }
    }

    @Test("no hotspot at all: the session says so and ends")
    func nothingThere() async throws {
        try await withSite(.plus()) { site in
            await site.device.stop()
            _ = try await site.hosts.run(.hub, "sh", "-c", "rm -f \(site.folder.file("air"))/*.json")
            let session = try await site.begin("ap")
            let told = try await site.until(session, "says that there is none") {
                PairingSite.isFinal($0) || $0["state"] == "needs_input"
            }
            if told["state"] == "needs_input" {
                _ = try await site.client.request("pairing/cancel", ["session": .string(session)])
                try await site.ended(session)
            } else {
                #expect(told["error"]?["code"] == "ap_not_found", "\(told.text)")
            }
            try await site.isClean()
        }
    }

    @Test("names and passwords of every kind", arguments: OddNetwork.all)
    func oddNetworks(network: OddNetwork) async throws {
        try await withSite(.plus(["networks": .array(network.all)])) { site in
            site.secrets = network.password.isEmpty ? [] : [network.password]
            let session = try await site.begin("ap")
            let question = try await site.asked(for: "ssid", session)
            if !network.isHidden {
                #expect(question.text.contains(JSON.string(network.ssid).text), "\(question.text)")
            }
            try await site.answerNetwork(session, ssid: network.ssid, password: network.password)
            let end = try await site.ended(session)
            #expect(end["state"] == "succeeded", "\(end.text)")
            try await site.commands(end)
            try await site.isClean()
        }
    }
}

/// A network that is unlike most others.
struct OddNetwork: Sendable, CustomTestStringConvertible {
    var ssid: String
    var password: String
    var isHidden = false
    /// How many others are in reach.
    var others = 3

    var testDescription: String { "\(ssid), \(password.utf8.count) bytes of password" }

    /// All networks in reach, as the device's plan has them.
    var all: [JSON] {
        let neighbours = (0..<others).map { number -> JSON in
            [
                "ssid": .string("Neighbour \(number)"), "password": "of somebody else",
                "signal": .integer(Int64(-60 - number % 30)),
            ]
        }
        let mine: JSONObject = [
            "ssid": .string(ssid), "password": .string(password), "hidden": .bool(isHidden), "signal": -45,
        ]
        return [.object(mine)] + neighbours
    }

    static let all = [
        OddNetwork(ssid: "One of many", password: "one of 120 networks", others: 119),
        OddNetwork(ssid: #"He said "hi" \ bye"#, password: #"quotes " and \ too"#),
        OddNetwork(ssid: "Küche 🏠💡", password: "schlüssel-🗝-bund"),
        OddNetwork(ssid: "Nowhere", password: "hidden from view", isHidden: true),
        OddNetwork(ssid: "Open Door", password: ""),
        OddNetwork(ssid: "Long", password: String(repeating: "0123456789", count: 6) + "abc"),
    ]
}

extension PairingSite {
    /// The home's network, given at the start.
    var network: JSONObject { ["ssid": .string(Self.network), "password": .string(Self.password)] }
}

extension String {
    /// How often a text is in this one.
    fileprivate func count(of text: String) -> Int { ranges(of: text).count }
}
