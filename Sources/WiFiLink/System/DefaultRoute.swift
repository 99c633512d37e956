import EventLoop
import Glibc

/// A default route of IPv4, from `/proc/net/route`.
struct DefaultRoute: Equatable {
    let interface: String
    /// nil where the network is reached without one.
    let gateway: String?
    let metric: Int

    /// All default routes of this machine that are up, best first.
    static func all() -> [DefaultRoute] {
        guard let text = SystemFile.read("/proc/net/route") else { return [] }
        return parse(text)
    }

    /// Reads the table: tab-separated interface, destination, gateway, flags, two counts, metric, mask; addresses as
    /// hexadecimal words in the machine's byte order.
    static func parse(_ text: String) -> [DefaultRoute] {
        var routes: [DefaultRoute] = []
        for line in text.split(separator: "\n").dropFirst() {
            let fields = line.split { $0 == "\t" || $0 == " " }
            guard fields.count >= 8, let gateway = UInt32(fields[2], radix: 16), let flags = Int(fields[3], radix: 16),
                UInt32(fields[1], radix: 16) == 0, UInt32(fields[7], radix: 16) == 0, flags & 1 == 1
            else { continue }
            let address = SocketAddress(ipv4: UInt32(bigEndian: gateway), port: 0).ip
            let route = DefaultRoute(
                interface: String(fields[0]),
                gateway: gateway == 0 ? nil : address,
                metric: Int(fields[6]) ?? 0
            )
            routes.append(route)
        }
        return routes.sorted { $0.metric < $1.metric }
    }
}
