import EventLoop
package import HomeModel
package import Hub

/// A ledger in memory.
package final class FakeLedger: RetainedLedger, @unchecked Sendable {
    // Used on the loop only.
    @Loop package var rows: [String: String] = [:]

    package nonisolated init() {}

    @Loop package func topics() async throws(CommandError) -> [LedgerEntry] {
        rows.map { LedgerEntry(topic: $0.key, owner: $0.value) }
    }

    @Loop package func add(_ entries: [LedgerEntry]) async throws(CommandError) {
        for entry in entries { rows[entry.topic] = entry.owner }
    }

    @Loop package func remove(_ topics: [String]) async throws(CommandError) {
        for topic in topics { rows[topic] = nil }
    }
}
