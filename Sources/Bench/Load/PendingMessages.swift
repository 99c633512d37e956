import EventLoop

/// The messages of one lamp and one direction that are on their way, oldest first.
struct PendingMessages: Sendable {
    private struct Entry: Sendable {
        let brightness: Int
        let sent: MonotonicTime
    }

    /// What the arrival of a level means.
    struct Arrival: Sendable {
        let sent: MonotonicTime
        /// Messages before it that a newer one overtook; bridges may merge them.
        let superseded: Int
    }

    private var entries: [Entry] = []
    private var first = 0

    var count: Int { entries.count - first }

    mutating func add(_ level: Level, at moment: MonotonicTime) {
        entries.append(Entry(brightness: level.brightness, sent: moment))
    }

    /// Finds the message with this level; nil for one that was not sent, such as the echo of something else.
    mutating func take(brightness: Int) -> Arrival? {
        guard let index = entries[first...].firstIndex(where: { $0.brightness == brightness }) else { return nil }
        let arrival = Arrival(sent: entries[index].sent, superseded: index - first)
        first = index + 1
        if first == entries.count {
            entries.removeAll(keepingCapacity: true)
            first = 0
        } else if first > 512 {
            entries.removeFirst(first)
            first = 0
        }
        return arrival
    }

    /// Gives up on what is still on its way.
    ///
    /// - Returns: how many that were.
    mutating func clear() -> Int {
        defer {
            entries.removeAll(keepingCapacity: true)
            first = 0
        }
        return count
    }
}
