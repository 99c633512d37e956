/// Keeps the last records in memory, for reports.
package final class RingSink: LogSink {
    private struct State: Sendable {
        var records: [LogRecord] = []
        /// Where the oldest record is, once the ring is full.
        var oldest = 0
        var dropped = 0
    }

    /// How many records are kept.
    package let capacity: Int
    private let state = Guarded(State())

    /// Makes an empty ring.
    ///
    /// - Parameter capacity: how many records are kept, at least 1.
    package init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    package func write(_ record: LogRecord) {
        state.withLock { state in
            if state.records.count < capacity {
                state.records.append(record)
            } else {
                state.records[state.oldest] = record
                state.oldest = (state.oldest + 1) % capacity
                state.dropped += 1
            }
        }
    }

    /// The kept records, the oldest first.
    package var records: [LogRecord] {
        state.withLock { Array($0.records[$0.oldest...] + $0.records[..<$0.oldest]) }
    }

    /// How many older records are gone.
    package var dropped: Int {
        state.withLock { $0.dropped }
    }

    /// Forgets all records and the count of those gone.
    package func removeAll() {
        state.withLock { $0 = State() }
    }
}
