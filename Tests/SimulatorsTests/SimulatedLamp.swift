import EventLoop
import Simulators
import TuyaProtocol

/// Runs `body` with a simulated lamp on a port of its own, and stops it afterwards.
@Loop
func withLamp(
    _ version: ProtocolVersion,
    _ product: Product = .light(.rgbcw),
    _ body: @Loop (TuyaLamp) async throws -> Void
) async throws {
    let identity = LampIdentity(
        id: "bf0123456789abcdefgh",
        uuid: "f1e2d3c4b5a69788",
        localKey: "p'&T=5-4u#Xq!a0Z",
        version: version,
        address: .loopback(port: 0),
        name: "Desk lamp"
    )
    let lamp = TuyaLamp(identity, product)
    // Devices up to 3.3 take one client; most tests don't mean to test that.
    lamp.habits.maximumClients = 3
    lamp.habits.takesZeroKeyForNone = false
    lamp.habits.refusalDelay = .milliseconds(20)
    try lamp.start()
    defer { lamp.stop() }
    try await body(lamp)
}
