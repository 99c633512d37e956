import CUV
import Glibc

/// An IPv4 or IPv6 address with a port.
package struct SocketAddress: Hashable, Sendable {
    /// The address in network byte order: 4 bytes in the upper half of `high` for IPv4, 16 bytes in both for IPv6.
    private var high: UInt64
    private var low: UInt64
    /// The interface index of a link-local IPv6 address, else 0.
    private var scope: UInt32
    /// The port, 0 for "any".
    package var port: UInt16
    /// Whether this is an IPv6 address.
    package let isIPv6: Bool

    /// Reads a numeric address such as `192.168.1.20`, `fe80::1%eth0` or `::1`; nil for anything else, names included.
    package init?(ip: String, port: UInt16) {
        var text = ip
        var four = in_addr()
        if unsafe inet_pton(AF_INET, text, &four) == 1 {
            self.init(ipv4: UInt32(bigEndian: four.s_addr), port: port)
            return
        }
        var scope: UInt32 = 0
        if let percent = text.firstIndex(of: "%") {
            let zone = String(text[text.index(after: percent)...])
            scope = unsafe UInt32(zone) ?? if_nametoindex(zone)
            guard scope != 0 else { return nil }
            text = String(text[..<percent])
        }
        var six = in6_addr()
        guard unsafe inet_pton(AF_INET6, text, &six) == 1 else { return nil }
        self.init(six, scope: scope, port: port)
    }

    /// An IPv4 address as a number in host byte order, so `0x7F00_0001` is 127.0.0.1.
    package init(ipv4: UInt32, port: UInt16) {
        self.high = UInt64(ipv4) << 32
        self.low = 0
        self.scope = 0
        self.port = port
        self.isIPv6 = false
    }

    /// 127.0.0.1 with a port, 0 for "any".
    package static func loopback(port: UInt16) -> SocketAddress { SocketAddress(ipv4: 0x7F00_0001, port: port) }

    /// 0.0.0.0 with a port, 0 for "any".
    package static func anyIPv4(port: UInt16) -> SocketAddress { SocketAddress(ipv4: 0, port: port) }

    /// The IPv4 address as a number in host byte order; nil for IPv6.
    package var ipv4: UInt32? { isIPv6 ? nil : UInt32(high >> 32) }

    /// The numeric address without the port, IPv6 without brackets.
    package var ip: String {
        if let ipv4 {
            return "\(ipv4 >> 24).\(ipv4 >> 16 & 255).\(ipv4 >> 8 & 255).\(ipv4 & 255)"
        }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        var address = in6
        guard unsafe inet_ntop(AF_INET6, &address, &text, socklen_t(text.count)) != nil else { return "::" }
        let plain = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return scope == 0 ? plain : "\(plain)%\(scope)"
    }

    /// The same address with another port.
    package func with(port: UInt16) -> SocketAddress {
        var copy = self
        copy.port = port
        return copy
    }

    // MARK: C

    private init(_ six: in6_addr, scope: UInt32, port: UInt16) {
        var six = six
        let words = unsafe withUnsafeBytes(of: &six) { raw in
            unsafe (raw.loadUnaligned(as: UInt64.self), raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
        self.high = UInt64(bigEndian: words.0)
        self.low = UInt64(bigEndian: words.1)
        self.scope = scope
        self.port = port
        self.isIPv6 = true
    }

    private var in6: in6_addr {
        var six = in6_addr()
        unsafe withUnsafeMutableBytes(of: &six) { raw in
            unsafe raw.storeBytes(of: high.bigEndian, as: UInt64.self)
            unsafe raw.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
        }
        return six
    }

    /// Reads a socket address of the C library; nil for families other than IPv4 and IPv6.
    init?(_ raw: UnsafePointer<sockaddr>?) {
        guard let raw = unsafe raw else { return nil }
        switch unsafe Int32(raw.pointee.sa_family) {
        case AF_INET:
            let four = unsafe UnsafeRawPointer(raw).loadUnaligned(as: sockaddr_in.self)
            self.init(ipv4: UInt32(bigEndian: four.sin_addr.s_addr), port: UInt16(bigEndian: four.sin_port))
        case AF_INET6:
            let six = unsafe UnsafeRawPointer(raw).loadUnaligned(as: sockaddr_in6.self)
            self.init(six.sin6_addr, scope: six.sin6_scope_id, port: UInt16(bigEndian: six.sin6_port))
        default:
            return nil
        }
    }

    /// Reads the address that a C function writes into storage of the given size; nil where it fails.
    static func read(_ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<Int32>) -> Int32) -> SocketAddress? {
        var storage = sockaddr_storage()
        var size = Int32(MemoryLayout<sockaddr_storage>.size)
        return unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                unsafe body(raw, &size) == 0 ? SocketAddress(raw) : nil
            }
        }
    }

    /// Calls `body` with this address in the C library's form, valid for the call.
    func withRaw<T>(_ body: (UnsafePointer<sockaddr>) -> T) -> T {
        if let ipv4 {
            var raw = sockaddr_in()
            raw.sin_family = sa_family_t(AF_INET)
            raw.sin_port = port.bigEndian
            raw.sin_addr.s_addr = ipv4.bigEndian
            return unsafe withUnsafePointer(to: &raw) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0) }
            }
        }
        var raw = sockaddr_in6()
        raw.sin6_family = sa_family_t(AF_INET6)
        raw.sin6_port = port.bigEndian
        raw.sin6_addr = in6
        raw.sin6_scope_id = scope
        return unsafe withUnsafePointer(to: &raw) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0) }
        }
    }
}

extension SocketAddress: CustomStringConvertible {
    /// `192.168.1.20:6668` or `[::1]:6668`.
    package var description: String { isIPv6 ? "[\(ip)]:\(port)" : "\(ip):\(port)" }
}
