import EventLoop
import TestSupport

/// Runs `body` with both ends of a new TCP connection over loopback.
@Loop
func withTCPPair(
    options: TCPOptions = TCPOptions(),
    _ body: @Loop (_ client: TCPConnection, _ server: TCPConnection) async throws -> Void
) async throws {
    var accepted: TCPConnection?
    let fact = Fact()
    let listener = try TCPListener(bind: .loopback(port: 0)) {
        accepted = $0
        fact.changed()
    }
    let client = try await TCPConnection.connect(to: listener.address, options: options, deadline: .seconds(10))
    await fact.until { accepted != nil }
    guard let server = accepted else { return }
    accepted = nil
    listener.close()
    try await body(client, server)
    client.close()
    server.close()
}
