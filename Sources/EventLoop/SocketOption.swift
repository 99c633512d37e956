import CUV
import Glibc

/// Socket options that libuv has no call for, on a descriptor.
enum SocketOption {
    static func set(_ descriptor: Int32, _ level: Int32, _ name: Int32, _ value: Int32) throws(LoopError) {
        var value = value
        let code = unsafe setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
        if code != 0 { throw .last("setsockopt") }
    }

    /// Ties a socket to one interface.
    ///
    /// - Throws: ``LoopError/notFound(_:)`` for an unknown name.
    static func bind(_ descriptor: Int32, toInterface name: String) throws(LoopError) {
        let code = unsafe setsockopt(descriptor, SOL_SOCKET, SO_BINDTODEVICE, name, socklen_t(name.utf8.count))
        guard code != 0 else { return }
        throw errno == ENODEV ? .notFound(name) : .last("setsockopt(SO_BINDTODEVICE)")
    }

    static func apply(_ options: TCPOptions, to descriptor: Int32) throws(LoopError) {
        if options.noDelay { try set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1) }
        if let keepAlive = options.keepAlive {
            let idle = Int32(clamping: max(1, keepAlive.components.seconds))
            try set(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1)
            try set(descriptor, Int32(IPPROTO_TCP), TCP_KEEPIDLE, idle)
            try set(descriptor, Int32(IPPROTO_TCP), TCP_KEEPINTVL, max(1, idle / 3))
            try set(descriptor, Int32(IPPROTO_TCP), TCP_KEEPCNT, 3)
        }
    }

    /// `AF_INET` or `AF_INET6`.
    static func family(of address: SocketAddress) -> UInt32 { UInt32(address.isIPv6 ? AF_INET6 : AF_INET) }
}
