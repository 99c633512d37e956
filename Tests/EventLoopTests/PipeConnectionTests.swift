import EventLoop
import Glibc
import TestSupport
import Testing

@Suite("PipeConnection", .timeLimit(.minutes(1)))
struct PipeConnectionTests {
    @Test("a Unix socket carries bytes both ways")
    @Loop func unixSocket() async throws {
        let path = temporaryPath()
        var server: PipeConnection?
        let listener = try UnixListener(path: path) { connection in
            server = connection
            connection.onBytes = { connection.write($0, .coalesced) }
        }
        let client = try await PipeConnection.connect(path: path, deadline: .seconds(10))
        let inbox = Inbox(client)
        client.write(Array("ping".utf8))
        #expect(await inbox.received(4) == Array("ping".utf8))
        client.finish()
        #expect(await inbox.closed() == nil)
        #expect(server?.isOpen == false)
        listener.close()
        #expect(access(path, F_OK) != 0)
    }

    @Test("a path that nobody serves, and one that cannot be, are coded errors")
    @Loop func connectErrors() async throws {
        let path = temporaryPath()
        await #expect(throws: LoopError.notFound(path)) {
            _ = try await PipeConnection.connect(path: path, deadline: .seconds(10))
        }
        await #expect(throws: LoopError.system(code: ENAMETOOLONG, call: "sun_path")) {
            _ = try await PipeConnection.connect(path: String(repeating: "x", count: 200), deadline: .seconds(10))
        }
        let listener = try UnixListener(path: path) { _ in }
        #expect(throws: LoopError.addressInUse) { try UnixListener(path: path) { _ in } }
        listener.close()
    }

    @Test("an inherited pair of descriptors becomes two connections")
    @Loop func descriptors() async throws {
        let pair = try socketPair()
        let (left, right) = (try PipeConnection(descriptor: pair.0), try PipeConnection(descriptor: pair.1))
        let inbox = Inbox(right)
        left.write([1, 2, 3])
        #expect(await inbox.received(3) == [1, 2, 3])
        left.close()
        #expect(await inbox.closed() == nil)
    }

    @Test("a regular file is refused")
    @Loop func regularFile() throws {
        let file = open("/etc/passwd", O_RDONLY)
        defer { close(file) }
        #expect(throws: LoopError.system(code: EINVAL, call: "pipe_open")) { try PipeConnection(descriptor: file) }
    }

    @Test("writing to a pipe whose reader is gone is an error, not the end of the process")
    @Loop func brokenPipe() async throws {
        let pair = try socketPair()
        let left = try PipeConnection(descriptor: pair.0)
        close(pair.1)
        var reason: LoopError?
        let fact = Fact()
        left.onClose = {
            reason = $0
            fact.changed()
        }
        left.write([1])
        await fact.until { reason != nil }
        #expect(reason == .reset)
    }

    private func temporaryPath() -> String { "/tmp/lintel-\(getpid())-\(UInt32.random(in: 0...UInt32.max)).sock" }
}

/// Two connected Unix sockets.
func socketPair() throws -> (Int32, Int32) {
    var pair: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
    return (pair[0], pair[1])
}
