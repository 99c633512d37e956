import EventLoop
import Glibc
import HomeModel

/// Gets an address from a network's DHCP server for an interface that nobody else configures.
///
/// The system's client of the moment may be quicker (dhcpcd and systemd-networkd often watch all interfaces), so that it
/// is waited for a little. Then `udhcpc`, `dhclient` or `dhcpcd` is run once, whichever there is, with a script of ours in
/// place of its own: that only tells what was offered, and neither routes nor name servers of the machine change. There is
/// no guess at an address where no server answers: which one is free only the device knows.
@Loop
struct LeaseClient {
    private static let mark = "lintel-lease "
    private static let script = """
        #!/bin/sh
        # Written by lintel: tells what a DHCP client was offered, and changes nothing.
        case "$1$reason" in
        bound|renew|BOUND|RENEW|REBIND|REBOOT)
            echo "\(mark)${new_ip_address:-$ip} ${new_subnet_mask:-${subnet:-255.255.255.0}} ${new_routers:-$router}" ;;
        esac
        exit 0

        """

    let programs: Programs
    let options: WiFiOptions

    /// Gives the interface an address.
    ///
    /// - Throws: ``WiFiError/noAddress(interface:)``.
    func configure(_ interface: String) async throws(WiFiError) -> WiFiPlace {
        let end = Loop.now + options.leasePatience
        while true {
            if let place = Self.present(interface) { return place }
            guard Loop.now < end else { break }
            do { try await Loop.sleep(for: .milliseconds(200)) } catch { throw .cancelled }
        }
        let path = "\(options.directory)/wifi-lease.sh"
        try write(Self.script, to: path)
        defer {
            unlink(path)
            unlink(leasePath)
        }
        guard let (program, arguments) = client(interface, script: path) else {
            throw .program("udhcpc, dhclient, dhcpcd", words: "none of them is installed, so that there is no address")
        }
        let output = try await programs.run(program, arguments, deadline: options.timeout) { Self.lease($0) != nil }
        guard let lease = Self.lease(output.stdout) else {
            // dhcpcd may leave the configuration to one of its own that runs already.
            if let place = Self.present(interface) { return place }
            throw .noAddress(interface: interface)
        }
        let address = "\(lease.address)/\(lease.prefix)"
        _ = try await programs.text("ip", ["addr", "replace", address, "dev", interface], deadline: .seconds(5))
        return WiFiPlace(
            interface: interface,
            address: lease.address,
            prefix: lease.prefix,
            gateway: lease.gateway
        )
    }

    private static func present(_ interface: String) -> WiFiPlace? {
        guard let entry = Interface.entries(of: interface).first(where: \.isUp) else { return nil }
        return WiFiPlace(
            interface: interface,
            address: SocketAddress(ipv4: entry.ipv4, port: 0).ip,
            prefix: entry.netmask.nonzeroBitCount,
            gateway: DefaultRoute.all().first { $0.interface == interface }?.gateway
        )
    }

    private func client(_ interface: String, script: String) -> (String, [String])? {
        if programs.has("udhcpc") {
            return ("udhcpc", ["-f", "-n", "-q", "-t", "5", "-T", "2", "-i", interface, "-s", script])
        }
        if programs.has("dhclient") {
            // A file of its own for leases, or it would begin with the home's.
            let files = ["-lf", leasePath, "-pf", "/dev/null"]
            return ("dhclient", ["-4", "-d", "-1", "-sf", script] + files + [interface])
        }
        if programs.has("dhcpcd") {
            return ("dhcpcd", ["-4", "-1", "-B", "-G", "-t", "20", "-c", script, interface])
        }
        return nil
    }

    private var leasePath: String { "\(options.directory)/wifi-lease" }

    /// What the script told, once its line is whole.
    static func lease(_ output: [UInt8]) -> (address: String, prefix: Int, gateway: String?)? {
        for line in String(decoding: output, as: UTF8.self).split(separator: "\n") where line.hasPrefix(mark) {
            let words = line.dropFirst(mark.count).split(separator: " ")
            guard words.count >= 2, let address = SocketAddress(ip: String(words[0]), port: 0), !address.isIPv6,
                let prefix = prefix(String(words[1]))
            else { continue }
            let gateway = words.count > 2 ? String(words[2]) : nil
            return (address.ip, prefix, gateway)
        }
        return nil
    }

    private static func prefix(_ mask: String) -> Int? {
        if let prefix = Int(mask) { return (0...32).contains(prefix) ? prefix : nil }
        guard let mask = SocketAddress(ip: mask, port: 0)?.ipv4 else { return nil }
        return (~mask & (~mask &+ 1)) == 0 ? mask.nonzeroBitCount : nil
    }

    private func write(_ text: String, to path: String) throws(WiFiError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o700)
        guard descriptor >= 0 else { throw .journal(path: path, code: errno) }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
            throw .journal(path: path, code: errno)
        }
    }
}
