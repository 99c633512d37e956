import EventLoop
import HomeModel
import JSON
import Simulators
import Testing
import TuyaAdapter
import TuyaProtocol

@Suite("Simulated devices in their hotspots", .timeLimit(.minutes(2)), .serialized)
@Loop
struct HotspotPairingTests {
    private static let network: JSONObject = ["ssid": "HomeNet", "password": "correct horse"]

    @Test(
        "a device of each process is found, told, paired and controlled",
        arguments: [
            ("ap", HotspotHabit.apPlus), ("ap-plus", .apPlus), ("ap", .legacyUDP), ("ap-legacy", .legacyUDP),
            ("ap", .legacyTCP),
            ("ap-legacy", .legacyTCP),
        ]
    )
    func success(method: String, habit: HotspotHabit) async throws {
        try await HotspotHome.with({ $0.habit = habit }) { home in
            try await home.pairing.start(method)
            let form = try await home.pairing.form()
            #expect(form.fields.map(\.name) == ["ssid", "password"])
            if habit == .apPlus { #expect(form.fields.first?.choices.map(\.value) == ["HomeNet"]) }
            try await home.pairing.answer(Self.network)
            let end = try await home.pairing.end()
            #expect(end.state == .succeeded && end.devices == [home.id], "\(end)")
            home.expectClosed()
            try await home.expectControl()
            #expect(home.cloud.activations.count == 1 && home.cloud.tickets.count == 1)
            let text = "\(home.host.progress)" + "\(home.host.records)"
            #expect(!text.contains("correct horse") && !text.contains(FakeCloud.key) && !text.contains("10000000"))
        }
    }

    @Test("a device can be controlled within a second of its joining", arguments: [HotspotHabit.apPlus, .legacyUDP])
    func quick(habit: HotspotHabit) async throws {
        try await HotspotHome.with(timing: ["poll_ms": nil]) {
            $0.habit = habit
            $0.joinTime = .milliseconds(800)
        } _: { home in
            try await home.pairing.start("ap", Self.network)
            await home.host.untilOnline(home.id)
            let taken = try Loop.now - #require(home.toldAt)
            print("credentials to control, \(habit.rawValue): \(taken)")
            #expect(taken <= .milliseconds(1800))
            #expect(try await home.pairing.end().state == .succeeded)
        }
    }

    @Test("with the real client and a simulated cloud behind HTTP, too", arguments: [HotspotHabit.apPlus, .legacyUDP])
    func realClient(habit: HotspotHabit) async throws {
        let server = try CloudServer()
        defer { server.stop() }
        try await HotspotHome.with(timing: ["poll_ms": nil], server: server) {
            $0.habit = habit
            $0.joinTime = .milliseconds(800)
        } _: { home in
            try await home.pairing.start("ap", Self.network)
            let end = try await home.pairing.end()
            #expect(end.state == .succeeded, "\(end)")
            let id = try #require(end.devices.first)
            await home.host.untilOnline(id)
            let taken = try Loop.now - #require(home.toldAt)
            print("credentials to control, \(habit.rawValue), real client: \(taken)")
            #expect(taken <= .milliseconds(1800))
            #expect(server.house.devices.map(\.id) == [id.text])
            try await home.pairing.rig.confirm(id, ["power": false])
        }
    }

    @Test("a wrong password is asked for again, and the session goes on with the same token")
    func wrongPassword() async throws {
        try await HotspotHome.with({
            $0.reportsFailures = true
            $0.returnsAfter = .milliseconds(200)
        }) { home in
            try await home.pairing.start("ap", ["ssid": "HomeNet", "password": "battery staple"])
            let form = try await home.pairing.form()
            #expect(form.error?.code == .wrongPassword && form.error?.vendorCode == "207211")
            try await home.pairing.answer(["password": "correct horse"])
            #expect(try await home.pairing.end().state == .succeeded)
            #expect(home.cloud.tickets.count == 1 && home.radio.joins.count == 2)
            try await home.expectControl()
        }
    }

    @Test(
        "what the device says of a join that failed is the vendor's number",
        arguments: [(JoinOutcome.notFound, "207210"), (.noLease, "207213"), (.cloudUnreachable, "207215")]
    )
    func outcomes(outcome: JoinOutcome, number: String) async throws {
        try await HotspotHome.with({
            $0.reportsFailures = true
            $0.returnsAfter = .milliseconds(200)
            $0.networks[0].outcome = outcome
        }) { home in
            try await home.pairing.start("ap", Self.network)
            let form = try await home.pairing.form()
            #expect(form.error?.vendorCode == number)
            home.lamp.plan.networks[0].outcome = .joins
            try await home.pairing.answer(Self.network)
            #expect(try await home.pairing.end().state == .succeeded)
        }
    }

    @Test("a token that the cloud refused is replaced for the second try")
    func tokenRefused() async throws {
        for reports in [true, false] {
            try await HotspotHome.with({
                $0.reportsFailures = reports
                $0.networks[0].outcome = .cloudRefuses
            }) { home in
                try await home.pairing.start("ap", Self.network)
                let form = try await home.pairing.form()
                #expect(form.error?.vendorCode == (reports ? "207216" : "207212"))
                home.lamp.plan.networks[0].outcome = .joins
                try await home.pairing.answer(Self.network)
                #expect(try await home.pairing.end().state == .succeeded)
                #expect(home.cloud.tickets.count == (reports ? 2 : 1))
            }
        }
    }

    @Test("a device with a printed code is asked for it, again where it is wrong")
    func pincode() async throws {
        try await HotspotHome.with({ $0.pincode = "12345678" }) { home in
            try await home.pairing.start("ap-plus", Self.network)
            let form = try await home.pairing.form()
            #expect(form.fields.map(\.name) == ["pincode"])
            try await home.pairing.answer(["pincode": "87654321"])
            #expect(try await home.pairing.form().error?.code == .wrongVerificationCode)
            try await home.pairing.answer(["pincode": "12345678"])
            #expect(try await home.pairing.end().state == .succeeded)
            try await home.expectControl()
        }
    }

    @Test("an answer that is lost with the hotspot is no failure")
    func lostAnswer() async throws {
        try await HotspotHome.with({ $0.losesAnswer = true }) { home in
            try await home.pairing.start("ap", Self.network)
            #expect(try await home.pairing.end().state == .succeeded)
        }
    }

    @Test("silence at each stage ends with the vendor's number, and the radio at home")
    func silence() async throws {
        let stages: [(String, String, (inout HotspotPlan) -> Void)] = [
            ("ap-plus", "207201", { $0.startsHandshake = false }), ("ap-plus", "207206", { $0.isSilent = true }),
            ("ap-plus", "207220", { $0.networks[0].outcome = .silent }),
            (
                "ap-legacy", "207220",
                {
                    $0.habit = .legacyUDP
                    $0.isSilent = true
                }
            ),
        ]
        for (method, number, prepare) in stages {
            let timing: JSONObject = [
                "channel_ms": 500, "query_ms": 300, "plus_limit_ms": 700, "legacy_limit_ms": 700,
            ]
            try await HotspotHome.with(timing: timing, prepare) { home in
                try await home.pairing.start(method, Self.network)
                let end = try await home.pairing.end()
                #expect(end.state == .failed && end.failure?.vendorCode == number, "\(method): \(end)")
                home.expectClosed()
                #expect(home.host.descriptions.isEmpty)
            }
        }
    }

    @Test("the list: many networks, quotes, emoji, open and hidden ones, and long passwords")
    func networks() async throws {
        let long = String(repeating: "p", count: 63)
        try await HotspotHome.with({
            $0.networks = (0..<120).map { ScriptedNetwork(ssid: "Net \($0)", password: "12345678", signal: -90) }
            $0.networks.insert(ScriptedNetwork(ssid: #"He said "hi""#, signal: -30), at: 0)
            $0.networks.insert(ScriptedNetwork(ssid: "Küche 🍕", password: long, signal: -35), at: 1)
            $0.networks.append(ScriptedNetwork(ssid: "Hidden", password: long, isHidden: true))
        }) { home in
            try await home.pairing.start("ap")
            let form = try await home.pairing.form()
            let choices = try #require(form.fields.first?.choices)
            #expect(choices.count == 50 && choices.prefix(2).map(\.value) == [#"He said "hi""#, "Küche 🍕"])
            try await home.pairing.answer(["ssid": "Hidden", "password": .string(long)])
            #expect(try await home.pairing.end().state == .succeeded)
            #expect(home.lamp.credentials?.ssid == "Hidden" && home.lamp.credentials?.password == long)
        }
    }

    @Test("without a cloud a token by hand pairs the device for somebody who has its key")
    func tokenByHand() async throws {
        try await HotspotHome.with(hasCloud: false) { home in
            let token = try await home.cloud.ticket(home: nil, within: .seconds(1)).token
            var input = Self.network
            input["token"] = .string(token.text)
            try await home.pairing.start("ap", input)
            let end = try await home.pairing.end()
            #expect(end.failure?.code == .keyMissing && end.data["device"] == .string(FakeCloud.id), "\(end)")
            #expect(home.cloud.polls == 0)
        }
    }

    @Test("a device with a security level waits until the gateway says that it is near")
    func securityLevel() async throws {
        try await HotspotHome.with({
            $0.habit = .legacyUDP
            $0.securityLevel = 1
            $0.beacons.interval = .milliseconds(100)
        }) { home in
            try await home.pairing.start("ap-legacy", Self.network)
            let form = try await home.pairing.form()
            #expect(form.fields.isEmpty && home.pairing.last?.step == "confirm_same_wifi")
            home.lamp.confirm()
            try await home.pairing.answer([:])
            #expect(try await home.pairing.end().state == .succeeded)
        }
    }

    @Test(
        "cancelling in any step brings the radio home, closes everything and says no more",
        arguments: [
            "token", "join_device_ap", "open_channel", "query_device", "list_networks", "choose_network",
            "device_joins_wifi",
        ]
    )
    func cancel(step: String) async throws {
        try await HotspotHome.with({ $0.scanTime = .milliseconds(200) }) { home in
            try await home.pairing.start("ap-plus", step == "choose_network" ? [:] : Self.network)
            await home.host.until { $0.progress.contains { $0.step == step } }
            await home.pairing.rig.adapter.cancelPairing(home.pairing.session)
            home.expectClosed()
            let told = home.host.progress.count
            // The device is free for somebody else at once.
            if home.lamp.isHotspotUp {
                let other = try PairingRig(home.pairing.rig, "p-2")
                try await other.start("ap-plus", Self.network)
                #expect(try await other.end().state == .succeeded)
            }
            #expect(!home.host.progress.dropFirst(told).contains { $0.session == home.pairing.session })
        }
    }
}
