import EventLoop
import HTTPClient
import Simulators
import TestSupport
import Testing

@Suite("HTTP", .timeLimit(.minutes(2)))
@Loop
struct HTTPClientTests {
    typealias Request = HTTPClient.Request

    let server: HTTPServer
    let client = HTTPClient()

    init() throws { server = try HTTPServer() }

    private func failure(_ request: Request) async -> HTTPError? {
        do throws(HTTPError) {
            _ = try await client.send(request)
            return nil
        } catch { return error }
    }

    @Test(
        "method, path, query, headers and body arrive as they were given",
        arguments: ["GET", "POST", "PUT", "DELETE"]
    )
    func request(method: String) async throws {
        var seen: [HTTPRequest] = []
        server.handler = { request in
            seen.append(request)
            var answer = HTTPAnswer.text("fine", status: 201)
            answer.headers.append(.init("X-More", "a: b"))
            return answer
        }
        let body = method == "GET" ? [] : [UInt8]("{\"a\":1}\r\n\0".utf8)
        let response = try await client.send(
            Request(
                method,
                url: server.url + "/a/../b%20c?x=%2F&y=",
                headers: [.init("access_token", "t"), .init("empty", ""), .init("Content-Type", "application/json")],
                body: body
            )
        )
        #expect(response.status == 201)
        #expect(response.header("x-more") == "a: b")
        #expect(response.body == [UInt8]("fine".utf8))
        let request = try #require(seen.first)
        #expect(request.method == method)
        #expect(request.path == "/a/../b%20c")
        #expect(request.query == [.init("x", "/"), .init("y", "")])
        #expect(request.header("access_token") == "t")
        #expect(request.header("empty")?.isEmpty == true)
        #expect(request.header("content-type") == "application/json")
        #expect(request.header("expect") == nil)
        #expect(request.body == body)
        client.close()
    }

    @Test("a POST without a body is one")
    func emptyPost() async throws {
        var methods: [String] = []
        server.handler = { request in
            methods.append(request.method + (request.header("content-length") ?? "none"))
            return HTTPAnswer()
        }
        _ = try await client.send(Request("POST", url: server.url))
        #expect(methods == ["POST0"])
        client.close()
    }

    @Test("a redirect is an answer and is not followed")
    func redirect() async throws {
        var count = 0
        let place = server.url + "/elsewhere"
        server.handler = { _ in
            count += 1
            var answer = HTTPAnswer(status: 302)
            answer.headers = [.init("Location", place)]
            return answer
        }
        let response = try await client.send(Request(url: server.url))
        #expect(response.status == 302)
        #expect(response.header("location") == place)
        #expect(count == 1)
        client.close()
    }

    @Test("a body in chunks is put together")
    func chunks() async throws {
        let body = (0..<10_000).map { UInt8(truncatingIfNeeded: $0) }
        server.handler = { _ in
            var answer = HTTPAnswer(body: body)
            answer.delivery = .chunked(size: 7)
            return answer
        }
        #expect(try await client.send(Request(url: server.url)).body == body)
        client.close()
    }

    @Test("a larger body than asked for is refused, announced or not", arguments: [true, false])
    func tooLarge(isAnnounced: Bool) async throws {
        server.handler = { request in
            var answer = HTTPAnswer(body: [UInt8](repeating: 1, count: request.path == "/fits" ? 1000 : 1001))
            if !isAnnounced { answer.delivery = .chunked(size: 100) }
            return answer
        }
        #expect(await failure(Request(url: server.url + "/fits", maxResponse: 1000)) == nil)
        #expect(await failure(Request(url: server.url, maxResponse: 1000)) == .tooLarge(limit: 1000))
        client.close()
    }

    @Test("a server that closes in the middle, at once, or talks nonsense gives an error of that kind")
    func brokenServers() async throws {
        server.handler = { request in
            var answer = HTTPAnswer.text("a body that is cut in two")
            switch request.path {
            case "/cut": answer.delivery = .cut(after: 5)
            case "/close": answer.delivery = .close
            default: answer.delivery = .bare
            }
            return answer
        }
        for path in ["/cut", "/close"] {
            guard case .broken? = await failure(Request(url: server.url + path)) else {
                Issue.record("\(path) was not found to be broken")
                continue
            }
        }
        guard case .notHTTP? = await failure(Request(url: server.url + "/bare")) else {
            Issue.record("nonsense was taken for HTTP")
            return
        }
        client.close()
    }

    @Test("nobody listening and no such name are told apart")
    func nobody() async throws {
        let url = server.url
        server.stop()
        guard case .unreachable? = await failure(Request(url: url)) else {
            Issue.record("somebody listened")
            return
        }
        guard case .nameNotFound? = await failure(Request(url: "http://nowhere.invalid/")) else {
            Issue.record("the name was found")
            return
        }
        client.close()
    }

    @Test("a silent server ends by the deadline")
    func deadline() async throws {
        server.handler = { _ in
            var answer = HTTPAnswer()
            answer.delivery = .silence
            return answer
        }
        let begin = Loop.now
        let deadline = Duration.milliseconds(200)
        #expect(await failure(Request(url: server.url, deadline: deadline)) == .timedOut(after: deadline))
        #expect(Loop.now - begin >= deadline)
        #expect(await failure(Request(url: server.url, deadline: .zero)) == .timedOut(after: .zero))
        client.close()
    }

    @Test("cancelling the task ends the request and its connection")
    func cancel() async throws {
        let fact = Fact()
        var hasCome = false
        server.handler = { _ in
            hasCome = true
            fact.changed()
            var answer = HTTPAnswer()
            answer.delivery = .silence
            return answer
        }
        let task = Task { @Loop in await failure(Request(url: server.url)) }
        await fact.until { hasCome }
        #expect(client.requestCount == 1)
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(client.requestCount == 0)
        server.onDisconnect = { fact.changed() }
        await fact.until { server.openConnections == 0 }
        #expect(client.watchedSockets == 0)
        let late = Task { @Loop in
            withUnsafeCurrentTask { $0?.cancel() }
            return await failure(Request(url: server.url))
        }
        #expect(await late.value == .cancelled)
        client.close()
    }

    @Test("requests one after the other share a connection")
    func reuse() async throws {
        server.handler = { _ in .text("fine") }
        for _ in 0..<5 { _ = try await client.send(Request(url: server.url)) }
        #expect(server.connectionCount == 1)
        server.closeConnections()
        #expect(try await client.send(Request(url: server.url)).status == 200)
        #expect(server.connectionCount == 2)
        client.close()
    }

    @Test("IPv6 works")
    func version6() async throws {
        let address = try #require(SocketAddress(ip: "::1", port: 0))
        let server = try HTTPServer(bind: address) { _ in .text("six") }
        #expect(try await client.send(Request(url: server.url + "/")).body == [UInt8]("six".utf8))
        client.close()
        server.stop()
    }

    @Test("a hundred requests at once are all answered, over few connections")
    func many() async throws {
        server.handler = { .text($0.path) }
        let tasks = (0..<100).map { number in
            Task { @Loop in try? await client.send(Request(url: "\(server.url)/\(number)")) }
        }
        for (number, task) in tasks.enumerated() {
            #expect(await task.value?.body == [UInt8]("/\(number)".utf8))
        }
        #expect(server.connectionCount <= client.options.connectionsPerHost)
        client.close()
    }

    @Test("closing ends what is under way and leaves nothing open")
    func closing() async throws {
        let fact = Fact()
        var count = 0
        server.handler = { _ in
            count += 1
            fact.changed()
            var answer = HTTPAnswer()
            answer.delivery = .silence
            return answer
        }
        server.onDisconnect = { fact.changed() }
        let tasks = (0..<3).map { _ in Task { @Loop in await failure(Request(url: server.url)) } }
        await fact.until { count == 3 }
        client.close()
        for task in tasks { #expect(await task.value == .closed) }
        await fact.until { server.openConnections == 0 }
        #expect(client.requestCount == 0 && client.watchedSockets == 0)
        #expect(await failure(Request(url: server.url)) == .closed)
    }

    @Test("dropping the client closes its connections")
    func dropping() async throws {
        let fact = Fact()
        server.handler = { _ in .text("fine") }
        server.onDisconnect = { fact.changed() }
        var other: HTTPClient? = HTTPClient()
        _ = try await other?.send(Request(url: server.url))
        #expect(server.openConnections == 1)
        other = nil
        await fact.until { server.openConnections == 0 }
        client.close()
    }

    @Test(
        "what would break out of its line, or goes elsewhere than to HTTP, is not sent",
        arguments: [
            Request(url: "http://127.0.0.1/a b"), Request(url: "http://127.0.0.1/\r\nX: y"),
            Request(url: "http://127.0.0.1/ä"), Request(url: "file:///etc/passwd"), Request(url: "ftp://127.0.0.1/"),
            Request(url: "HTTP://127.0.0.1/"), Request(url: "127.0.0.1"), Request(url: "http:///path"),
            Request(url: "http://user:pass@127.0.0.1/"), Request(url: "http://a\\b/"), Request(url: ""),
            Request("GET / HTTP/1.1\r\nX:", url: "http://127.0.0.1/"), Request("", url: "http://127.0.0.1/"),
            Request(url: "http://127.0.0.1/", headers: [.init("X", "a\r\nY: b")]),
            Request(url: "http://127.0.0.1/", headers: [.init("X", "a\nY: b")]),
            Request(url: "http://127.0.0.1/", headers: [.init("X", "a\0")]),
            Request(url: "http://127.0.0.1/", headers: [.init("X: a\r\nY", "b")]),
            Request(url: "http://127.0.0.1/", headers: [.init("", "b")]),
        ]
    )
    func injection(_ request: Request) async throws {
        guard case .invalidRequest(let detail)? = await failure(request) else {
            Issue.record("it was sent: \(request)")
            return
        }
        #expect(!detail.contains("a\r\n"))
        client.close()
    }
}
