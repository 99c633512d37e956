import Crypto
import EventLoop
import TLS
import TestSupport
import Testing

@Suite("TLSConnection", .timeLimit(.minutes(1)))
struct TLSConnectionTests {
    @Test("the side that dials may be the server")
    @Loop func rolesReversed() async throws {
        let pair = try await ConnectionPair()
        defer { pair.close() }
        await pair.fact.until { pair.established == 2 }
        #expect(pair.dialler.suite == 0xC037 && pair.dialler.peerIdentity == EnginePair.identity)
        #expect(pair.dialler.offeredSuites == [0xC037, 0x00FF])
        try pair.dialler.send([1, 2])
        try pair.dialler.send([3])
        await pair.fact.until { pair.answerer.records == [[1, 2], [3]] }
        try pair.answerer.connection.send([4])
        await pair.fact.until { pair.dialled == [[4]] }
    }

    @Test("closing gives notice; both sides hear of a clean end once")
    @Loop func close() async throws {
        let pair = try await ConnectionPair()
        await pair.fact.until { pair.established == 2 }
        try pair.dialler.send([7])
        pair.dialler.close()
        pair.dialler.close()
        #expect(throws: TLSError.closed) { try pair.dialler.send([1]) }
        await pair.fact.until { pair.ends.count == 2 }
        #expect(pair.ends == [nil, nil])
        #expect(pair.answerer.records == [[7]])
    }

    @Test("a peer that vanishes without notice is told of")
    @Loop func vanished() async throws {
        let pair = try await ConnectionPair()
        await pair.fact.until { pair.established == 2 }
        pair.answerer.vanish()
        await pair.fact.until { !pair.ends.isEmpty }
        #expect(pair.ends == [.truncated])
    }

    @Test("a wrong key closes both ends, each with its reason")
    @Loop func wrongKey() async throws {
        let pair = try await ConnectionPair(clientKey: SecretKey([1, 2, 3]))
        await pair.fact.until { pair.ends.count == 2 }
        #expect(pair.ends.contains(.keysDiffer))
        #expect(pair.established == 0)
    }

    @Test("a silent peer is given up at the deadline")
    @Loop func deadline() async throws {
        let fact = Fact()
        var silent: TCPConnection?
        let listener = try TCPListener(bind: .loopback(port: 0)) { silent = $0 }
        let tcp = try await TCPConnection.connect(to: listener.address, deadline: .seconds(10))
        let connection = try TLSConnection(tcp, role: .server { _ in nil })
        var ends: [TLSError?] = []
        connection.onClose = {
            ends.append($0)
            fact.changed()
        }
        connection.start(deadline: .milliseconds(30))
        await fact.until { !ends.isEmpty }
        #expect(ends == [.timedOut(after: .milliseconds(30))])
        #expect(throws: TLSError.timedOut(after: .milliseconds(30))) { try connection.send([1]) }
        silent?.close()
    }

    @Test("closing before the start, and dropping, close the connection underneath")
    @Loop func unstarted() async throws {
        let fact = Fact()
        var (ends, closed) = (0, 0)
        let listener = try TCPListener(bind: .loopback(port: 0)) { peer in
            peer.onBytes = { _ in }
            peer.onClose = { _ in
                ends += 1
                fact.changed()
                _ = peer
            }
        }
        do {
            let tcp = try await TCPConnection.connect(to: listener.address, deadline: .seconds(10))
            let connection = try TLSConnection(tcp, role: .server { _ in nil })
            connection.onClose = { error in
                #expect(error == nil)
                closed += 1
                fact.changed()
            }
            connection.close()
            await fact.until { closed == 1 && ends == 1 }
            let other = try await TCPConnection.connect(to: listener.address, deadline: .seconds(10))
            try TLSConnection(other, role: .server { _ in nil }).start(deadline: .seconds(10))
        }
        await fact.until { ends == 2 }
    }
}
