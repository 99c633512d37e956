import EventLoop
import Glibc
import TestSupport
import Testing

@Suite("Watches", .timeLimit(.minutes(1)))
struct WatchTests {
    @Test("a signal to the process reaches every watch of it, until it is cancelled")
    @Loop func signals() async throws {
        var counts = [0, 0]
        let fact = Fact()
        let first = try SignalWatch(SIGUSR1) {
            counts[0] += 1
            fact.changed()
        }
        let second = try SignalWatch(SIGUSR1) {
            counts[1] += 1
            fact.changed()
        }
        kill(getpid(), SIGUSR1)
        await fact.until { counts == [1, 1] }
        first.cancel()
        kill(getpid(), SIGUSR1)
        await fact.until { counts == [1, 2] }
        withExtendedLifetime(second) {}
    }

    @Test("a signal that cannot be watched is refused")
    @Loop func unwatchable() {
        #expect(throws: LoopError.system(code: EINVAL, call: "signal")) { try SignalWatch(SIGKILL) {} }
    }

    @Test("a descriptor is reported readable when bytes come, and only then")
    @Loop func readable() async throws {
        let pair = try socketPair()
        defer {
            close(pair.0)
            close(pair.1)
        }
        var seen: [DescriptorWatch.Events] = []
        let fact = Fact()
        let watch = try DescriptorWatch(descriptor: pair.0, events: .readable) { events in
            var byte: UInt8 = 0
            #expect(read(pair.0, &byte, 1) == 1)
            seen.append(events)
            fact.changed()
        }
        try await Loop.sleep(for: .milliseconds(5))
        #expect(seen.isEmpty)
        var byte: UInt8 = 1
        #expect(write(pair.1, &byte, 1) == 1)
        await fact.until { seen == [.readable] }
        watch.cancel()
    }

    @Test("the events can be changed, and a cancelled watch is silent")
    @Loop func update() async throws {
        let pair = try socketPair()
        defer {
            close(pair.0)
            close(pair.1)
        }
        var calls = 0
        let fact = Fact()
        var watch: DescriptorWatch?
        watch = try DescriptorWatch(descriptor: pair.0, events: []) { events in
            #expect(events == .writable)
            calls += 1
            if calls == 3 { watch?.cancel() }
            fact.changed()
        }
        watch?.update(events: .writable)
        await fact.until { calls == 3 }
        try await Loop.sleep(for: .milliseconds(5))
        #expect(calls == 3)
    }

    @Test("a peer's reset shows as readiness, so that the owner finds the error")
    @Loop func peerGone() async throws {
        try await withTCPPair { client, server in
            let pair = try socketPair()
            defer { close(pair.0) }
            var seen: DescriptorWatch.Events?
            let fact = Fact()
            let watch = try DescriptorWatch(descriptor: pair.0, events: .readable) {
                seen = $0
                fact.changed()
            }
            close(pair.1)
            await fact.until { seen != nil }
            #expect(seen?.contains(.readable) == true)
            watch.cancel()
        }
    }

    @Test("a regular file cannot be watched")
    @Loop func regularFile() {
        let file = open("/etc/passwd", O_RDONLY)
        defer { close(file) }
        #expect(throws: LoopError.notPermitted) { try DescriptorWatch(descriptor: file, events: .readable) { _ in } }
    }
}
