import Glibc

/// An IPv4 address of one of this machine's network interfaces.
package struct NetworkInterface: Hashable, Sendable {
    /// The interface's name, such as `eth0`.
    package let name: String
    /// The address, in host byte order.
    package let ipv4: UInt32
    /// The network mask, in host byte order.
    package let netmask: UInt32
    /// Whether packets do not leave the machine.
    package let isLoopback: Bool
    /// Whether the interface is up and has a carrier.
    package let isUp: Bool

    /// The directed broadcast address of the interface's network, in host byte order.
    package var broadcast: UInt32 { ipv4 | ~netmask }

    /// The interfaces of this machine, one entry per IPv4 address.
    package static func all() throws(LoopError) -> [NetworkInterface] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard unsafe getifaddrs(&list) == 0 else { throw .last("getifaddrs") }
        defer { unsafe freeifaddrs(list) }
        var found: [NetworkInterface] = []
        var next = unsafe list
        while let entry = unsafe next {
            unsafe next = entry.pointee.ifa_next
            guard
                let ipv4 = unsafe SocketAddress(entry.pointee.ifa_addr)?.ipv4,
                let netmask = unsafe SocketAddress(entry.pointee.ifa_netmask)?.ipv4
            else { continue }
            let flags = unsafe entry.pointee.ifa_flags
            let up = UInt32(IFF_UP | IFF_RUNNING)
            found.append(
                NetworkInterface(
                    name: unsafe String(cString: entry.pointee.ifa_name),
                    ipv4: ipv4,
                    netmask: netmask,
                    isLoopback: flags & UInt32(IFF_LOOPBACK) != 0,
                    isUp: flags & up == up
                )
            )
        }
        return found
    }
}
