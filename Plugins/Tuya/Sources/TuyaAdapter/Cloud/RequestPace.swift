import EventLoop

/// Spreads requests: at most two in any second.
///
/// Source: protocol description, section 9.7.
struct RequestPace: Sendable {
    private static let window = Duration.seconds(1)
    private static let limit = 2

    /// When the last requests were, or will be.
    private var slots: [MonotonicTime] = []

    init() {}

    /// When a request that wants to go now may go.
    func next(after now: MonotonicTime) -> MonotonicTime {
        guard slots.count >= Self.limit else { return now }
        return max(now, slots[slots.count - Self.limit] + Self.window)
    }

    /// Takes that moment, so that nobody else gets it.
    mutating func take(after now: MonotonicTime) -> MonotonicTime {
        let slot = next(after: now)
        slots.append(slot)
        if slots.count > Self.limit { slots.removeFirst() }
        return slot
    }
}
