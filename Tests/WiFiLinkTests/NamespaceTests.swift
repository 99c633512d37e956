import EventLoop
import TestSupport
import Testing
import WiFiLink

/// With real addresses and routes, in a network of its own, where the system lets us make one.
@Suite("Wi-Fi: addresses of the interface", .timeLimit(.minutes(4)))
struct NamespaceTests {
    private static let home = "10.7.7.7/24 default via 10.7.7.1 dev wlan9 metric 600"

    static func isPossible() async -> Bool {
        (try? await Command.run("unshare", ["-n", "ip", "link", "add", "wlan9", "type", "veth"])) != nil
    }

    @Test(
        "wpa_supplicant's way takes home's address and route off the interface and puts them back",
        .enabled("network namespaces are not permitted here") { await isPossible() }
    )
    @Loop
    func whole() async throws {
        let radio = try radio()
        #expect(try await walk(radio) == Self.home)
        let calls = radio.calls.filter { $0.hasPrefix("ip ") }
        #expect(
            calls == [
                "ip -4 addr flush dev wlan9", "ip addr replace 192.168.175.77/24 dev wlan9",
                "ip -4 addr flush dev wlan9", "ip addr replace 10.7.7.7/24 dev wlan9",
                "ip route replace default via 10.7.7.1 dev wlan9 metric 600",
            ]
        )
        #expect(radio.text("during")?.contains("10.7.7") == false)
    }

    @Test(
        "killed at any step, the next start puts them back",
        .enabled("network namespaces are not permitted here") { await isPossible() },
        arguments: ["before", "after"]
    )
    @Loop
    func killed(_ moment: String) async throws {
        let whole = try radio()
        _ = try await walk(whole)
        for step in 1...whole.count {
            let radio = try radio()
            try radio.write("\(step)", to: "kill-\(moment)")
            #expect(try await walk(radio) == Self.home, "step \(step)")
            #expect(radio.text("current") == "0\n" && !radio.hasJournal, "step \(step)")
        }
    }

    @Loop
    private func radio() throws -> FakeRadio {
        let radio = try FakeRadio.supplicant()
        try radio.program("ip", "PATH=/usr/sbin:/usr/bin:/sbin:/bin; ip \"$@\"")
        try radio.program(
            "udhcpc",
            """
            PATH=/usr/sbin:/usr/bin:/sbin:/bin
            { ip -4 -o addr show dev wlan9; ip route; } > "$S/during"
            while [ $# -gt 1 ]; do [ "$1" = -s ] && script=$2; shift; done
            ip=192.168.175.77 mask=24 router=192.168.175.1 interface=wlan9 "$script" bound
            """
        )
        return radio
    }

    /// Moves the radio in a network of its own, lets the next start recover, and says what there is then.
    @Loop
    private func walk(_ radio: FakeRadio) async throws -> String {
        try radio.write(
            """
            ip link add wlan9 type veth peer name peer9
            ip link set peer9 up
            ip link set wlan9 up
            ip addr add 10.7.7.7/24 dev wlan9
            ip route add default via 10.7.7.1 dev wlan9 metric 600
            '\(try Mover.program())' '\(Mover.plan(radio, .supplicant))' > /dev/null
            rm -f "$1"/kill-*
            '\(try Mover.program())' '\(Mover.plan(radio, .supplicant, recovers: true))' || echo "cannot recover"
            ip -4 -o addr show dev wlan9 | sed 's/.*inet \\([^ ]*\\) .*/\\1/'
            ip route show default
            """,
            to: "walk.sh"
        )
        let output = try await Command.run("unshare", ["-n", "sh", radio.folder.file("walk.sh"), radio.folder.path])
        let lines = output.split(separator: "\n").filter { !$0.contains("Killed") }
        return lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
    }
}
