package import HomeModel

/// Where a door keeps the list of retained topics that it ever published, so that it can clear each of them.
package protocol RetainedLedger: Sendable {
    /// All topics, once at start.
    func topics() async throws(CommandError) -> [LedgerEntry]

    /// Adds topics; on return they survive any kill, so that they may be published.
    func add(_ entries: [LedgerEntry]) async throws(CommandError)

    /// Forgets topics, after they were cleared at the broker.
    func remove(_ topics: [String]) async throws(CommandError)
}

/// A retained topic of ours.
package struct LedgerEntry: Sendable, Hashable {
    /// The whole topic.
    package var topic: String
    /// What it belongs to, for example `bridge` or `device/desk-lamp`.
    package var owner: String

    package init(topic: String, owner: String) {
        self.topic = topic
        self.owner = owner
    }
}
