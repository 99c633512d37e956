import EventLoop
import Glibc
import TestSupport

/// A site of network namespaces: the gateway's machine, a device out of the box, and the home's network.
///
/// ```
/// test ── 10.78.n.1 ── mgmt0 ┐
///                            hub ── wlan0 ═══ the air ═══ ap0 ── device
///  home 10.77.0.1 ── eth0 ───┘                         home0 ──┘
/// ```
///
/// The addresses are the vendor's: a device's hotspot is 192.168.175.1 or 192.168.176.1.
@Loop
final class SiteNetwork {
    /// The namespaces.
    enum Host: String, CaseIterable {
        /// The machine that the gateway runs on.
        case hub
        /// The device that is paired.
        case device
        /// The router, with the vendor's cloud behind it.
        case router
    }

    /// The home's side of the gateway.
    static let hubAddress = "10.77.0.2"
    /// Where the device is after it joined.
    static let deviceAddress = "10.77.0.50"
    /// The router, where the cloud is simulated.
    static let routerAddress = "10.77.0.1"

    let number: Int
    /// Where the hub finds what listens in the test's own namespace.
    var testAddress: String { "10.78.\(number).1" }
    private var link: String { "lt\(number)m" }

    private init(number: Int) { self.number = number }

    /// Whether this process may make namespaces.
    nonisolated static var isPossible: Bool { geteuid() == 0 }

    static func make(hotspot: String = "192.168.176.1") async throws -> SiteNetwork {
        // Other test processes make theirs at the same time: whoever makes the first namespace has the number.
        var last: any Error = TestError.notReady(output: "no number is free")
        let start = Int.random(in: 0..<250)
        for offset in 0..<250 {
            let network = SiteNetwork(number: (start + offset) % 250)
            do {
                try await network.ip("netns", "add", network.name(.hub))
            } catch {
                last = error
                continue
            }
            do {
                try await network.build(hotspot: hotspot)
                return network
            } catch {
                await network.remove()
                throw error
            }
        }
        throw last
    }

    func name(_ host: Host) -> String { "lt\(number)-\(host.rawValue)" }

    /// A program and its arguments as they are run on a host.
    func on(_ host: Host, _ command: [String]) -> [String] { ["ip", "netns", "exec", name(host)] + command }

    /// Runs a command on a host and returns what it wrote.
    @discardableResult
    func run(_ host: Host, _ command: String...) async throws -> String {
        let words = on(host, command)
        return try await Command.run(words[0], Array(words.dropFirst()))
    }

    /// The addresses of an interface of the hub, such as `192.168.176.2/24`.
    func addresses(of interface: String) async throws -> [String] {
        let text = try await run(.hub, "ip", "-o", "-4", "addr", "show", "dev", interface)
        return text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            return words.firstIndex(of: "inet").flatMap { words.indices.contains($0 + 1) ? String(words[$0 + 1]) : nil }
        }
    }

    func remove() async {
        for host in Host.allCases { _ = try? await ip("netns", "del", name(host)) }
        _ = try? await ip("link", "del", link)
    }

    private func build(hotspot: String) async throws {
        let (hub, device, router) = (name(.hub), name(.device), name(.router))
        try await ip("netns", "add", device)
        try await ip("netns", "add", router)
        for host in Host.allCases { try await run(host, "ip", "link", "set", "lo", "up") }
        try await run(.router, "ip", "link", "add", "home", "type", "bridge")
        try await run(.router, "ip", "link", "add", "h0", "type", "veth", "peer", "name", "eth0", "netns", hub)
        try await run(.router, "ip", "link", "add", "d0", "type", "veth", "peer", "name", "home0", "netns", device)
        try await run(.hub, "ip", "link", "add", "wlan0", "type", "veth", "peer", "name", "ap0", "netns", device)
        try await ip("link", "add", link, "type", "veth", "peer", "name", "mgmt0", "netns", hub)
        for port in ["h0", "d0"] { try await run(.router, "ip", "link", "set", port, "master", "home", "up") }
        try await run(.router, "ip", "link", "set", "home", "up")
        try await address("\(Self.routerAddress)/24", on: "home", of: .router)
        try await address("\(Self.hubAddress)/24", on: "eth0", of: .hub)
        try await address("10.78.\(number).2/24", on: "mgmt0", of: .hub)
        try await address("\(Self.deviceAddress)/24", on: "home0", of: .device)
        try await address("\(hotspot)/24", on: "ap0", of: .device)
        try await run(.hub, "ip", "route", "add", "default", "via", Self.routerAddress)
        // Broadcasts to everybody go into the hotspot; the cloud is on the device's own network.
        try await run(.device, "ip", "route", "add", "default", "dev", "ap0")
        try await ip("addr", "add", "\(testAddress)/24", "dev", link)
        try await ip("link", "set", link, "up")
    }

    private func address(_ address: String, on interface: String, of host: Host) async throws {
        try await run(host, "ip", "addr", "add", address, "broadcast", "+", "dev", interface)
        try await run(host, "ip", "link", "set", interface, "up")
    }

    private func ip(_ arguments: String...) async throws { try await Command.run("ip", arguments) }
}
