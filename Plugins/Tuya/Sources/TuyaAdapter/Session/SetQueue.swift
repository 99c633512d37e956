package import EventLoop

/// Sets that wait until the device has room for them, in order.
package struct SetQueue: Sendable {
    /// The most that wait for one device.
    package static let limit = 100

    private var waiting: [PendingSet] = []

    package init() {}

    package var isEmpty: Bool { waiting.isEmpty }
    package var count: Int { waiting.count }

    /// Adds a set at the end; what it makes pointless is taken out.
    ///
    /// - Returns: the tickets of sets taken out, or nil where the queue is full and the set was not added.
    package mutating func add(_ set: PendingSet) -> [PendingSet.Ticket]? {
        guard !waiting.isEmpty else {
            waiting.append(set)
            return []
        }
        var superseded: [PendingSet.Ticket] = []
        waiting.removeAll { older in
            guard older.isSuperseded(by: set) else { return false }
            superseded += older.tickets
            return true
        }
        guard waiting.count < Self.limit else { return nil }
        waiting.append(set)
        return superseded
    }

    /// Takes the oldest set out.
    package mutating func next() -> PendingSet? {
        guard !waiting.isEmpty else { return nil }
        let set = waiting.removeFirst()
        // Many sessions, few sets: an idle device keeps no memory for them.
        if waiting.isEmpty { waiting = [] }
        return set
    }

    /// Takes out all sets whose callers have stopped waiting.
    package mutating func expired(at now: MonotonicTime) -> [PendingSet] {
        guard waiting.contains(where: { $0.deadline <= now }) else { return [] }
        let late = waiting.filter { $0.deadline <= now }
        waiting.removeAll { $0.deadline <= now }
        return late
    }

    /// Takes all out.
    package mutating func removeAll() -> [PendingSet] {
        defer { waiting = [] }
        return waiting
    }

    /// The moment at which the first caller stops waiting.
    package var firstDeadline: MonotonicTime? { waiting.lazy.map(\.deadline).min() }

    /// The sets in order, for working out what the device will hold when all are done.
    package var sets: [PendingSet] { waiting }
}
