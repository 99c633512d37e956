import EventLoop
import TestSupport
import Testing

@Suite("UDPSocket", .timeLimit(.minutes(1)))
struct UDPSocketTests {
    @Test("a datagram arrives whole with its sender, an empty one too")
    @Loop func exchange() async throws {
        let (first, second) = (try UDPSocket(bind: .loopback(port: 0)), try UDPSocket(bind: .loopback(port: 0)))
        let mail = Mail(second)
        try first.send([1, 2, 3], to: second.address)
        try first.send([], to: second.address)
        try first.send([UInt8](repeating: 9, count: 60_000), to: second.address)
        await mail.received(3)
        #expect(mail.datagrams.map(\.bytes) == [[1, 2, 3], [], [UInt8](repeating: 9, count: 60_000)])
        #expect(mail.datagrams.allSatisfy { $0.sender == first.address })
    }

    @Test("many datagrams of one burst all arrive in order")
    @Loop func burst() async throws {
        let (first, second) = (try UDPSocket(bind: .loopback(port: 0)), try UDPSocket(bind: .loopback(port: 0)))
        let mail = Mail(second)
        for number in 0..<100 { try first.send([UInt8(number)], to: second.address) }
        await mail.received(100)
        #expect(mail.datagrams.map(\.bytes) == (0..<100).map { [UInt8($0)] })
    }

    @Test("a broadcast reaches every socket that shares the port")
    @Loop func broadcast() async throws {
        let everywhere = SocketAddress.anyIPv4(port: 0)
        let first = try UDPSocket(bind: everywhere, reuseAddress: true)
        let second = try UDPSocket(bind: first.address, reuseAddress: true)
        let mails = [Mail(first), Mail(second)]
        let sender = try UDPSocket(bind: .loopback(port: 0), broadcast: true)
        let target = try #require(SocketAddress(ip: "127.255.255.255", port: first.address.port))
        try sender.send([42], to: target)
        for mail in mails {
            await mail.received(1)
            #expect(mail.datagrams.map(\.bytes) == [[42]])
        }
    }

    @Test("broadcasting needs to be asked for")
    @Loop func broadcastRefused() throws {
        let sender = try UDPSocket(bind: .loopback(port: 0))
        let target = try #require(SocketAddress(ip: "127.255.255.255", port: 9))
        #expect(throws: LoopError.notPermitted) { try sender.send([1], to: target) }
    }

    @Test("a multicast group is joined on the chosen interface")
    @Loop func multicast() async throws {
        let group = "239.77.1.9"
        let receiver = try UDPSocket(
            bind: .anyIPv4(port: 0),
            reuseAddress: true,
            interface: "lo",
            multicastGroups: [group]
        )
        let mail = Mail(receiver)
        let sender = try UDPSocket(bind: .anyIPv4(port: 0), interface: "lo")
        try sender.send([5, 6], to: try #require(SocketAddress(ip: group, port: receiver.address.port)))
        await mail.received(1)
        #expect(mail.datagrams.map(\.bytes) == [[5, 6]])
    }

    @Test("a port is shared by sockets that all ask for it")
    @Loop func reusePort() throws {
        let first = try UDPSocket(bind: .loopback(port: 0), reusePort: true)
        let second = try UDPSocket(bind: first.address, reusePort: true)
        #expect(second.address == first.address)
        #expect(throws: LoopError.addressInUse) { try UDPSocket(bind: first.address) }
    }

    @Test("an unknown interface and a wrong group are coded errors")
    @Loop func setUpErrors() {
        #expect(throws: LoopError.notFound("nosuch0")) {
            try UDPSocket(bind: .anyIPv4(port: 0), interface: "nosuch0")
        }
        #expect(throws: LoopError.self) { try UDPSocket(bind: .anyIPv4(port: 0), multicastGroups: ["10.0.0.1"]) }
    }

    @Test("a datagram that is too large is refused, a closed socket says so")
    @Loop func sendErrors() throws {
        let socket = try UDPSocket(bind: .loopback(port: 0))
        #expect(throws: LoopError.system(code: 90, call: "sendto")) {
            try socket.send([UInt8](repeating: 0, count: 70_000), to: socket.address)
        }
        socket.close()
        #expect(throws: LoopError.closed) { try socket.send([1], to: socket.address) }
    }
}

@Loop
private final class Mail {
    private(set) var datagrams: [(bytes: [UInt8], sender: SocketAddress)] = []
    private let fact = Fact()
    private let socket: UDPSocket

    init(_ socket: UDPSocket) {
        self.socket = socket
        socket.onDatagram = { [unowned self] bytes, sender in
            datagrams.append((bytes, sender))
            fact.changed()
        }
    }

    func received(_ count: Int) async {
        await fact.until { [self] in datagrams.count >= count }
    }
}
