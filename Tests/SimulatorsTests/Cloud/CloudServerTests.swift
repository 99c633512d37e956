import EventLoop
import HTTPClient
import JSON
import Simulators
import TestSupport
import Testing

@Suite("the simulated cloud over HTTP", .timeLimit(.minutes(1)))
@Loop
struct CloudServerTests {
    let server: CloudServer
    let client = HTTPClient()

    init() throws { server = try CloudServer() }

    private func post(_ path: String, _ body: JSON) async throws -> JSON {
        let request = HTTPClient.Request("POST", url: server.url + path, body: body.serialized())
        return try JSON.parse(try await client.send(request).body)
    }

    private func state() async throws -> JSON {
        try JSON.parse(try await client.send(HTTPClient.Request(url: server.url + "/sim/state")).body)
    }

    /// A token as a client of the cloud gets it.
    private func token() throws -> SimulatedPairingToken {
        var signed = CloudClient(server.house)
        signed.now = server.clock()
        try signed.signIn()
        _ = try signed.ticket(home: 1_000_002)
        server.house = signed.house
        return try #require(server.house.pairingTokens.last)
    }

    @Test("a device activates with its token and is told who it is, once")
    func activates() async throws {
        let token = try token()
        let product = Product.light(.rgbcw).productKey
        let activation = try #require(CloudActivation(token: token.text, uuid: "u1", product: product))
        let answer = try await post("/sim/activate", activation.json)
        let result = try #require(CloudActivation.Result(json: answer))
        #expect(result.localKey.count == 16 && result.name == "RGBCW light, generation 2")
        let again = try await post("/sim/activate", activation.json)
        #expect(CloudActivation.Result(json: again) == nil && again["error"] == "token_used")
        #expect(try await post("/sim/activate", ["token": "x"])["error"] == "bad_request")
        let device = try await state()["devices"]?[0]
        #expect(device?["id"] == .string(result.deviceID) && device?["home"] == 1_000_002)
        client.close()
        server.stop()
    }

    @Test("clock, faults, refusals and links are set from outside")
    func controls() async throws {
        let token = try token()
        let activation = try #require(CloudActivation(token: token.text, uuid: "u1", product: "p"))
        _ = try await post("/sim/refuse", ["code": "NO", "msg": "not now"])
        #expect(try await post("/sim/activate", activation.json)["error"] == "refused")
        let second = try self.token()
        let late = try #require(CloudActivation(token: second.text, uuid: "u2", product: "p"))
        _ = try await post("/sim/clock", ["advance_ms": 600_000])
        #expect(try await post("/sim/activate", late.json)["error"] == "token_expired")
        _ = try await post("/sim/clock", ["ahead_ms": 0])
        #expect(try await post("/sim/activate", late.json)["success"] == true)
        _ = try await post("/sim/fault", ["do": "page", "status": 503, "times": 0])
        let refused = try await client.send(HTTPClient.Request(url: server.url + "/v1.0/token?grant_type=1"))
        #expect(refused.status == 503)
        _ = try await post("/sim/fault", ["clear": true])
        #expect(server.house.faults.isEmpty)
        _ = try await post("/sim/unlink", ["on": true])
        #expect(!server.house.accounts[0].isLinked)
        #expect(try await post("/sim/fault", ["do": "dance"])["success"] == false)
        #expect(try await client.send(HTTPClient.Request(url: server.url + "/sim/nothing")).status == 404)
        client.close()
        server.stop()
    }

    @Test("nonsense gets a status and the end of the connection")
    func nonsense() async throws {
        let stream = try await TCPConnection.connect(to: server.server.address, deadline: .seconds(5))
        let fact = Fact()
        var (received, hasEnded): ([UInt8], Bool) = ([], false)
        stream.onClose = { _ in
            hasEnded = true
            fact.changed()
        }
        stream.onBytes = { received += $0 }
        stream.write([UInt8]("\u{16}\u{3}\u{1} hello\r\n\r\n".utf8))
        await fact.until { hasEnded }
        #expect(String(decoding: received, as: UTF8.self).hasPrefix("HTTP/1.1 400 "))
        client.close()
        server.stop()
    }

    @Test("requests that are sent ahead are answered in their order")
    func ahead() async throws {
        let stream = try await TCPConnection.connect(to: server.server.address, deadline: .seconds(5))
        let fact = Fact()
        var received = ""
        stream.onBytes = { bytes in
            received += String(decoding: bytes, as: UTF8.self)
            fact.changed()
        }
        stream.write([UInt8]("GET /sim/nothing HTTP/1.1\r\n\r\nGET /sim/state HTTP/1.1\r\n\r\n".utf8))
        await fact.until { received.contains("\"tokens\"") }
        #expect(received.hasPrefix("HTTP/1.1 404 "))
        stream.close()
        client.close()
        server.stop()
    }
}
