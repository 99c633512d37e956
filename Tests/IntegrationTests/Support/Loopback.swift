import EventLoop
import Glibc

/// Addresses of 127.0.0.0/8 for lamps, none of them given twice.
@Loop
enum Loopback {
    private static var next: UInt32 = 1

    /// The first of `count` addresses in a row, with the port that lamps listen on.
    static func block(_ count: Int) -> SocketAddress {
        // Another run of these tests on the same machine gets other addresses.
        let run = UInt32(getpid() % 128)
        let first = 0x7F00_0000 | (64 + run) << 16 | next
        next += UInt32(count)
        return SocketAddress(ipv4: first, port: 6668)
    }
}
