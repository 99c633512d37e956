import EventLoop
import Testing

@Suite("Resolver", .timeLimit(.minutes(1)))
struct ResolverTests {
    @Test("a numeric address is its own answer")
    @Loop func numeric() async throws {
        let addresses = try await Resolver.resolve("192.168.3.4", port: 80, deadline: .zero)
        #expect(addresses.map(\.description) == ["192.168.3.4:80"])
    }

    @Test("localhost is found, without duplicates")
    @Loop func localhost() async throws {
        let addresses = try await Resolver.resolve("localhost", port: 80, deadline: .seconds(20))
        #expect(addresses.contains { $0.ip == "127.0.0.1" && $0.port == 80 })
        #expect(Set(addresses).count == addresses.count)
    }

    @Test("a name that cannot exist is not found")
    @Loop func unknown() async {
        await #expect(throws: LoopError.notFound("no such host")) {
            try await Resolver.resolve("no such host", port: 80, deadline: .seconds(20))
        }
    }

    @Test("a deadline that has passed ends the wait")
    @Loop func deadline() async {
        // Work in all of the pool's threads keeps the question waiting.
        let release = Release()
        for _ in 0..<8 { Task { @Loop in try await Loop.offload { release.wait() } } }
        await Task.yield()
        await #expect(throws: LoopError.timedOut(after: .milliseconds(10))) {
            try await Resolver.resolve("localhost", port: 80, deadline: .milliseconds(10))
        }
        release.release()
    }

    @Test("the loopback interface is listed with its network")
    func interfaces() throws {
        let loopback = try #require(try NetworkInterface.all().first { $0.isLoopback })
        #expect(loopback.isUp)
        #expect(loopback.ipv4 >> 24 == 127)
        #expect(loopback.broadcast == loopback.ipv4 | ~loopback.netmask)
    }
}
