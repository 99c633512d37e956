import EventLoop
import Glibc

/// What the system says of network interfaces.
enum Interface {
    /// The Wi-Fi interfaces, by name.
    static func wireless() -> [String] {
        guard let directory = opendir("/sys/class/net") else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix("."), access("/sys/class/net/\(name)/phy80211", F_OK) == 0 { names.append(name) }
        }
        return names.sorted()
    }

    /// The IPv4 addresses of an interface, or of all that are up but loopback, as `192.168.1.7/24`.
    static func addresses(of name: String?) -> [String] {
        entries(of: name).map { "\(SocketAddress(ipv4: $0.ipv4, port: 0).ip)/\($0.netmask.nonzeroBitCount)" }
    }

    /// Whether an interface is up, has a carrier, and has an address.
    static func isUp(_ name: String, address: String? = nil) -> Bool {
        entries(of: name).contains { entry in
            entry.isUp && (address == nil || SocketAddress(ipv4: entry.ipv4, port: 0).ip == address)
        }
    }

    /// The entries of an interface, or of all that are up but loopback.
    static func entries(of name: String?) -> [NetworkInterface] {
        let all = (try? NetworkInterface.all()) ?? []
        return all.filter { name == nil ? $0.isUp && !$0.isLoopback : $0.name == name }
    }
}
