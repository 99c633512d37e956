import Glibc
import Testing

@testable import EventLoop

@Suite("SocketAddress")
struct SocketAddressTests {
    @Test(
        "numeric addresses are read and written",
        arguments: [
            ("127.0.0.1", "127.0.0.1:80"), ("255.255.255.255", "255.255.255.255:80"), ("::1", "[::1]:80"),
            ("2001:db8::ff", "[2001:db8::ff]:80"), ("0.0.0.0", "0.0.0.0:80"), ("fe80::1%1", "[fe80::1%1]:80"),
        ]
    )
    func reading(ip: String, text: String) throws {
        let address = try #require(SocketAddress(ip: ip, port: 80))
        #expect(address.description == text)
        #expect(address.port == 80)
    }

    @Test(
        "anything else is refused",
        arguments: ["", "localhost", "127.0.0", "1.2.3.4.5", "::g", "fe80::1%nosuch", "1.2.3.4 "]
    )
    func refusing(ip: String) {
        #expect(SocketAddress(ip: ip, port: 1) == nil)
    }

    @Test("an address survives the way through the C form", arguments: ["192.168.7.9", "2001:db8::1:2", "fe80::9%1"])
    func raw(ip: String) throws {
        let address = try #require(SocketAddress(ip: ip, port: 6668))
        #expect(unsafe address.withRaw { unsafe SocketAddress($0) } == address)
    }

    @Test("equal numbers of different families differ")
    func families() throws {
        #expect(SocketAddress(ip: "0.0.0.0", port: 1) != SocketAddress(ip: "::", port: 1))
        #expect(SocketAddress.loopback(port: 5) == SocketAddress(ip: "127.0.0.1", port: 5))
        #expect(SocketAddress.loopback(port: 5).with(port: 6).port == 6)
    }
}
