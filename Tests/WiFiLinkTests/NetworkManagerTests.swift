import EventLoop
import HomeModel
import Hub
import Log
import Testing
import WiFiLink

@Suite("Wi-Fi by NetworkManager", .timeLimit(.minutes(1)))
struct NetworkManagerTests {
    @Loop
    private func link(_ radio: FakeRadio) -> WiFiLink {
        WiFiLink(radio.options(.networkManager), log: .discarding())
    }

    @Test("an open hotspot is joined by a profile in memory, and the profile before is active again after it")
    @Loop
    func open() async throws {
        let radio = try FakeRadio.networkManager()
        let link = link(radio)
        let place = try await link.join("SmartLife-3F2A")
        #expect(
            place == WiFiPlace(interface: "wlan9", address: "192.168.175.23", prefix: 24, gateway: "192.168.175.1")
        )
        let active = try #require(radio.text("active"))
        #expect(active != "home-profile\n" && radio.hasJournal)
        let added = try #require(radio.calls.first { $0.hasPrefix("nmcli connection add") })
        #expect(added.contains("save no") && added.contains("never-default yes") && !added.contains("key-mgmt"))
        try await link.leave()
        #expect(radio.text("active") == "home-profile\n")
        #expect(radio.text("profile-\(active.dropLast())") == nil && !radio.hasJournal)
        // Nothing of the operator's is touched.
        #expect(
            !radio.calls.contains { $0.contains("modify") || $0.contains("delete uuid home") || $0.contains("reload") }
        )
    }

    @Test("a name with quotes and emoji and a password of 63 characters arrive as they are, the password unseen")
    @Loop
    func secured() async throws {
        let radio = try FakeRadio.networkManager()
        let link = link(radio)
        #expect(FakeRadio.secret.utf8.count == 63)
        _ = try await link.join(FakeRadio.awkward, FakeRadio.secret)
        let profile = try #require(radio.text("active")).dropLast()
        #expect(radio.text("profile-\(profile)") == "\(FakeRadio.awkward)\nwpa-psk\n")
        let escaped = FakeRadio.secret.replacing("\\", with: "\\\\").replacing(" ", with: "\\ ")
        #expect(radio.text("secret") == "802-11-wireless-security.psk:\(escaped)\n")
        #expect(!radio.calls.contains { $0.contains("pass") && !$0.contains("passwd-file") })
        #expect(!(radio.text("data/wifi-journal.json") ?? "").contains("quoted"))
        try await link.leave()
    }

    @Test("a hotspot out of reach leaves everything as it was")
    @Loop
    func notFound() async throws {
        let radio = try FakeRadio.networkManager()
        let link = link(radio)
        #expect(await failure { _ = try await link.join("nobody") } == .deviceNotFound)
        #expect(radio.text("active") == "home-profile\n" && !radio.hasJournal)
        #expect(!radio.calls.contains { $0.contains("connection add") })
    }

    @Test(
        "why a connection does not come up",
        arguments: [
            ("Error: Connection activation failed: (7) Secrets were required, but not provided.", ErrorCode.authFailed),
            ("Error: Connection activation failed: Secrets were required, but not provided.", .authFailed),
            ("Error: Connection activation failed: (53) The Wi-Fi network could not be found.", .deviceNotFound),
            (
                "Error: Connection activation failed: IP configuration could not be reserved (no available address, timeout, "
                    + "etc.)", .timeout
            ),
            ("Error: something new", .internal),
        ]
    )
    @Loop
    func refused(_ words: String, _ code: ErrorCode) async throws {
        let radio = try FakeRadio.networkManager()
        try radio.write(words, to: "up-fails")
        let link = link(radio)
        #expect(await failure { _ = try await link.join(FakeRadio.awkward, "12345678") } == code)
        // The home profile was active all the time, and the hotspot's is gone.
        #expect(radio.text("active") == "home-profile\n" && !radio.hasJournal)
        #expect(await failure { _ = try await link.join(FakeRadio.awkward) } == .authFailed)
    }

    @Test("where NetworkManager begins to go home by itself, leaving waits until it is there")
    @Loop
    func autoconnect() async throws {
        let radio = try FakeRadio.networkManager()
        try radio.write("", to: "autoconnects")
        let link = link(radio)
        _ = try await link.join("SmartLife-3F2A")
        try await link.leave()
        #expect(radio.text("active") == "home-profile\n" && radio.text("state") == nil)
    }

    @Test("without a connection before, only the hotspot's profile goes")
    @Loop
    func noPrevious() async throws {
        let radio = try FakeRadio.networkManager()
        try radio.write("", to: "active")
        let link = link(radio)
        _ = try await link.join("SmartLife-3F2A")
        try await link.leave()
        #expect(radio.text("active") == "")
        #expect(radio.calls.filter { $0.contains("connection up") }.count == 1)
    }

    @Test(
        "without a radio nothing moves, and the preflight says so",
        arguments: ["lo:loopback:unmanaged\n", "wlan9:wifi:unavailable\n", "wlan9:wifi:unmanaged\n"]
    )
    @Loop
    func noRadio(_ devices: String) async throws {
        let radio = try FakeRadio.networkManager()
        try radio.write(devices, to: "devices")
        let link = link(radio)
        #expect(await failure { _ = try await link.join("SmartLife-3F2A") } == .capabilityMissing)
        #expect(await failure { _ = try await link.scan() } == .capabilityMissing)
        #expect(!radio.hasJournal)
        let finding = await link.preflight().first { $0.check == "radio" }
        #expect(finding?.level == .failure && finding?.hint != nil)
    }

    @Test("a scan is merged and sorted")
    @Loop
    func scan() async throws {
        let radio = try FakeRadio.networkManager()
        let seen = try await link(radio).scan()
        #expect(seen.map(\.ssid) == ["SmartLife-3F2A", "home", FakeRadio.awkward])
        #expect(seen[1].frequency == 2437)
    }
}
