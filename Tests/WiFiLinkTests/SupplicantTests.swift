import EventLoop
import HomeModel
import Hub
import Log
import Testing
import WiFiLink

@Suite("Wi-Fi by wpa_supplicant", .timeLimit(.minutes(1)))
struct SupplicantTests {
    @Loop
    private func link(_ radio: FakeRadio) -> WiFiLink {
        WiFiLink(radio.options(.supplicant), log: .discarding())
    }

    /// The radio is as at the beginning.
    private func isHome(_ radio: FakeRadio) -> Bool {
        radio.text("current") == "0\n" && radio.text("net-3") == nil && radio.text("off-0") == nil
            && radio.text("off-1") != nil && radio.text("off-2") == nil && !radio.hasJournal
    }

    @Test("an open hotspot is joined and left; networks that were off stay off, and the others are on")
    @Loop
    func open() async throws {
        let radio = try FakeRadio.supplicant()
        let link = link(radio)
        let place = try await link.join("SmartLife-3F2A")
        #expect(
            place == WiFiPlace(interface: "wlan9", address: "192.168.175.77", prefix: 24, gateway: "192.168.175.1")
        )
        #expect(radio.text("current") == "3\n" && radio.hasJournal && !isHome(radio))
        #expect(radio.calls.contains("ip addr replace 192.168.175.77/24 dev wlan9"))
        try await link.leave()
        #expect(isHome(radio))
        #expect(!radio.calls.contains { $0.contains("save_config") })
        #expect(radio.text("data/wifi-lease.sh") == nil)
    }

    @Test("a name with quotes and emoji and a password of 63 characters arrive as they are, the password unseen")
    @Loop
    func secured() async throws {
        let radio = try FakeRadio.supplicant()
        let link = link(radio)
        _ = try await link.join(FakeRadio.awkward, FakeRadio.secret)
        #expect(radio.text("secret") == "set_network 3 psk \"\(FakeRadio.secret)\"\n")
        #expect(!radio.calls.contains { $0.contains("psk") || $0.contains("quoted") })
        #expect(!(radio.text("data/wifi-journal.json") ?? "").contains("quoted"))
        try await link.leave()
        #expect(isHome(radio))
    }

    @Test("a password that is refused is told as such, and the radio is back")
    @Loop
    func refused() async throws {
        let radio = try FakeRadio.supplicant()
        try radio.write("", to: "hangs")
        try radio.write("", to: "refuses")
        let link = link(radio)
        let task = Task { await failure { _ = try await link.join(FakeRadio.awkward, "12345678") } }
        // Home comes up again as soon as the hotspot's network is gone.
        while radio.text("net-3") == nil { try await Loop.sleep(for: .milliseconds(5)) }
        while radio.text("net-3") != nil { try await Loop.sleep(for: .milliseconds(5)) }
        radio.remove("hangs")
        #expect(await task.value == .authFailed)
        #expect(isHome(radio))
    }

    @Test("what is not there or not secured is told before anything moves")
    @Loop
    func notFound() async throws {
        let radio = try FakeRadio.supplicant()
        let link = link(radio)
        #expect(await failure { _ = try await link.join("nobody") } == .deviceNotFound)
        #expect(await failure { _ = try await link.join(FakeRadio.awkward) } == .authFailed)
        #expect(isHome(radio))
        #expect(!radio.calls.contains { $0.contains("add_network") })
    }

    @Test("a supplicant that is gone is no radio")
    @Loop
    func gone() async throws {
        let radio = try FakeRadio.supplicant()
        try radio.write("", to: "down")
        let link = link(radio)
        #expect(await failure { _ = try await link.join("SmartLife-3F2A") } == .capabilityMissing)
        #expect(!radio.hasJournal)
    }
}
