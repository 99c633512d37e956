import EventLoop

/// Keeps the number of gateways that run at a time small, so that tests in parallel do not measure each other.
@Loop
final class GatewaySlots {
    static let shared = GatewaySlots(3)

    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { free = count }

    /// Runs `body` when there is room, in the order of the calls.
    func run<Value: Sendable>(_ body: @Loop () async throws -> Value) async rethrows -> Value {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
        defer {
            if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
        }
        return try await body()
    }
}
