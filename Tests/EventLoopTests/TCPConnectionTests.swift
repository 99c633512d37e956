import EventLoop
import Glibc
import TestSupport
import Testing

@Suite("TCPConnection", .timeLimit(.minutes(1)))
struct TCPConnectionTests {
    @Test("both ends know each other's address")
    @Loop func addresses() async throws {
        try await withTCPPair { client, server in
            #expect(client.remoteAddress == server.localAddress)
            #expect(client.localAddress == server.remoteAddress)
        }
    }

    @Test("bytes arrive whole and in order, however they were cut", arguments: [1, 7, 1_000, 100_000])
    @Loop func echo(size: Int) async throws {
        try await withTCPPair { client, server in
            server.onBytes = { server.write($0) }
            let inbox = Inbox(client)
            let sent = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            for start in stride(from: 0, to: sent.count, by: size) where size >= 1_000 || start < 20_000 {
                client.write(Array(sent[start..<min(start + size, sent.count)]))
            }
            let expected = size >= 1_000 ? sent : Array(sent.prefix((20_000 + size - 1) / size * size))
            #expect(await inbox.received(expected.count) == expected)
        }
    }

    @Test("both write modes keep the order of the calls")
    @Loop func order() async throws {
        try await withTCPPair { client, server in
            let inbox = Inbox(server)
            client.write(Array("a".utf8), .coalesced)
            client.write(Array("b".utf8), .coalesced)
            client.write(Array("c".utf8))
            client.write(Array("d".utf8), .coalesced)
            #expect(client.queuedBytes == 1)
            #expect(String(decoding: await inbox.received(4), as: UTF8.self) == "abcd")
            #expect(inbox.pieces <= 2)
        }
    }

    @Test("coalesced bytes go out together at the end of the turn, even if nobody holds the stream any more")
    @Loop func coalesced() async throws {
        let fact = Fact()
        var inbox: Inbox?
        let listener = try TCPListener(bind: .loopback(port: 0)) { server in
            inbox = Inbox(server)
            server.onEnd = { server.close() }
            fact.changed()
        }
        do {
            let client = try await TCPConnection.connect(to: listener.address, deadline: .seconds(10))
            await fact.until { inbox != nil }
            for _ in 0..<1_000 { client.write(Array("0123456789".utf8), .coalesced) }
        }
        #expect(await inbox?.received(10_000).count == 10_000)
        #expect(await inbox?.closed() == nil)
    }

    @Test("nobody listening is refused, after the call has returned")
    @Loop func refused() async throws {
        let listener = try TCPListener(bind: .loopback(port: 0)) { _ in }
        let address = listener.address
        listener.close()
        var returned = false
        let error = await withCheckedContinuation { continuation in
            TCPConnection.connect(to: address, deadline: .seconds(10)) { result in
                #expect(returned)
                continuation.resume(returning: result.failure)
            }
            returned = true
        }
        #expect(error == .refused)
    }

    @Test("a peer that does not answer is given up at the deadline")
    @Loop func timeout() async throws {
        try await withFullBacklog { address in
            await #expect(throws: LoopError.timedOut(after: .milliseconds(50))) {
                try await TCPConnection.connect(to: address, deadline: .milliseconds(50))
            }
        }
    }

    @Test("a cancelled attempt never reports")
    @Loop func cancel() async throws {
        try await withFullBacklog { address in
            var reports = 0
            let attempt = TCPConnection.connect(to: address, deadline: .milliseconds(20)) { _ in reports += 1 }
            attempt.cancel()
            attempt.cancel()
            try await Loop.sleep(for: .milliseconds(40))
            #expect(reports == 0)
        }
    }

    @Test("cancelling the task ends the wait for a connection")
    @Loop func cancelTask() async throws {
        try await withFullBacklog { address in
            let task = Task { @Loop in
                do throws(LoopError) {
                    _ = try await TCPConnection.connect(to: address, deadline: .seconds(50))
                    return LoopError?.none
                } catch {
                    return error
                }
            }
            task.cancel()
            #expect(await task.value == .cancelled)
        }
    }

    @Test("an unknown interface and a foreign source address are told apart")
    @Loop func setUpErrors() async throws {
        let listener = try TCPListener(bind: .loopback(port: 0)) { _ in }
        await #expect(throws: LoopError.notFound("nosuch0")) {
            let options = TCPOptions(interface: "nosuch0")
            _ = try await TCPConnection.connect(to: listener.address, options: options, deadline: .seconds(10))
        }
        let foreign = try #require(SocketAddress(ip: "203.0.113.9", port: 0))
        await #expect(throws: LoopError.addressNotAvailable) {
            _ = try await TCPConnection.connect(to: listener.address, from: foreign, deadline: .seconds(10))
        }
    }

    @Test("the chosen source address and interface are used")
    @Loop func source() async throws {
        let listener = try TCPListener(bind: .loopback(port: 0)) { _ in }
        let source = try #require(SocketAddress(ip: "127.0.0.77", port: 0))
        let options = TCPOptions(keepAlive: .seconds(30), interface: "lo")
        let client = try await TCPConnection.connect(
            to: listener.address,
            from: source,
            options: options,
            deadline: .seconds(10)
        )
        #expect(client.localAddress.ip == "127.0.0.77")
    }

    @Test("a peer's end closes the stream cleanly, once")
    @Loop func cleanEnd() async throws {
        try await withTCPPair { client, server in
            let inbox = Inbox(client)
            server.write(Array("bye".utf8))
            server.finish()
            #expect(await inbox.closed() == nil)
            #expect(inbox.text == "bye")
            client.close()
            try await Loop.sleep(for: .milliseconds(5))
            #expect(inbox.closes.count == 1)
            #expect(!client.isOpen)
        }
    }

    @Test("our own close reports nil, after the call")
    @Loop func ownClose() async throws {
        try await withTCPPair { client, _ in
            let inbox = Inbox(client)
            client.close()
            #expect(inbox.closes.isEmpty)
            #expect(await inbox.closed() == nil)
        }
    }

    @Test("half-closed, the other direction still carries bytes")
    @Loop func halfClose() async throws {
        try await withTCPPair { client, server in
            let (atClient, atServer) = (Inbox(client), Inbox(server, keepsOpen: true))
            client.write(Array("question".utf8), .coalesced)
            client.finish()
            client.write(Array("ignored".utf8))
            await atServer.ended()
            #expect(atServer.text == "question")
            server.write(Array("answer".utf8))
            server.close()
            #expect(await atClient.closed() == nil)
            #expect(atClient.text == "answer")
        }
    }

    @Test("a reset is an error")
    @Loop func reset() async throws {
        try await withTCPPair { client, server in
            let inbox = Inbox(client)
            server.reset()
            #expect(await inbox.closed() == .reset)
        }
    }

    @Test("dropping the last reference closes the connection")
    @Loop func dropped() async throws {
        var server: TCPConnection?
        var inbox: Inbox?
        let fact = Fact()
        let listener = try TCPListener(bind: .loopback(port: 0)) {
            server = $0
            inbox = Inbox($0)
            fact.changed()
        }
        do {
            let client = try await TCPConnection.connect(to: listener.address, deadline: .seconds(10))
            await fact.until { server != nil }
            withExtendedLifetime(client) {}
        }
        #expect(await inbox?.closed() == nil)
        #expect(inbox?.closes.count == 1)
    }

    @Test("a peer that does not read holds the writer back, then drains it")
    @Loop func backPressure() async throws {
        try await withTCPPair { client, server in
            let fact = Fact()
            var drains = 0
            client.writeLimit = 64 << 20
            client.onDrain = {
                drains += 1
                fact.changed()
            }
            let piece = [UInt8](repeating: 7, count: 256 * 1024)
            var total = 0
            while client.queuedBytes == 0 {
                client.write(piece)
                total += piece.count
            }
            #expect(drains == 0)
            let inbox = Inbox(server)
            #expect(await inbox.received(total).count == total)
            await fact.until { drains == 1 }
            #expect(client.queuedBytes == 0)
        }
    }

    @Test("a peer that never reads is closed with an overflow at the limit")
    @Loop func overflow() async throws {
        try await withTCPPair { client, server in
            let inbox = Inbox(client)
            client.writeLimit = 100_000
            while client.isOpen { client.write([UInt8](repeating: 1, count: 50_000)) }
            guard case .overflow(let queued) = await inbox.closed() else {
                Issue.record("not an overflow: \(inbox.closes)")
                return
            }
            #expect(queued > 100_000)
            withExtendedLifetime(server) {}
        }
    }

    @Test("a paused stream delivers nothing until it is resumed")
    @Loop func pause() async throws {
        try await withTCPPair { client, server in
            let (atClient, atServer) = (Inbox(client), Inbox(server))
            server.onBytes = { server.write($0) }
            client.pauseReading()
            client.write([1, 2, 3])
            _ = atServer
            try await Loop.sleep(for: .milliseconds(20))
            #expect(atClient.bytes.isEmpty)
            client.resumeReading()
            #expect(await atClient.received(3) == [1, 2, 3])
        }
    }

    @Test("a stream may be paused and closed from its own callback")
    @Loop func closeInCallback() async throws {
        try await withTCPPair { client, server in
            let fact = Fact()
            var pieces = 0
            var closes = 0
            client.onClose = { _ in
                closes += 1
                fact.changed()
            }
            client.onBytes = { _ in
                pieces += 1
                client.pauseReading()
                client.close()
            }
            server.write([UInt8](repeating: 1, count: 500_000))
            await fact.until { closes == 1 }
            #expect(pieces == 1)
        }
    }

    @Test("two listeners share a port only if both ask for it")
    @Loop func reusePort() throws {
        let first = try TCPListener(bind: .loopback(port: 0), reusePort: true) { _ in }
        let second = try TCPListener(bind: first.address, reusePort: true) { _ in }
        #expect(second.address == first.address)
        #expect(throws: LoopError.addressInUse) { try TCPListener(bind: first.address) { _ in } }
    }

    /// Runs `body` with an address whose listener does not accept and whose queue is full, so that connecting hangs.
    @Loop private func withFullBacklog(_ body: (SocketAddress) async throws -> Void) async throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { Glibc.close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                _ = bind(listener, raw, size)
                _ = listen(listener, 0)
                _ = getsockname(listener, raw, &size)
            }
        }
        let target = SocketAddress.loopback(port: UInt16(bigEndian: address.sin_port))
        // Linux lets one more in than the backlog says.
        var inside: [TCPConnection] = []
        while let connection = try? await TCPConnection.connect(to: target, deadline: .milliseconds(100)) {
            inside.append(connection)
            if inside.count > 16 { break }
        }
        try await body(target)
    }
}

extension Result {
    /// The error, where this is one.
    var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
