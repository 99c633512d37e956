package import JSON

/// What the bridge has done since the start, for `bridge/health`.
package struct BridgeCounters: Sendable, Equatable {
    /// Commands and requests taken.
    package var received = 0
    /// Messages given to the client.
    package var published = 0
    /// Answers with an error.
    package var errors = 0
    /// States not published at once since the broker was slow; the newest went out later.
    package var coalesced = 0
    /// Retained commands met.
    package var retainedCommands = 0
    /// Topics that the broker refused to let us publish on or subscribe to.
    package var refused: Set<String> = []

    /// Snake-case counters; `refused_topics` lists at most 20.
    package var json: JSONObject {
        [
            "messages_received": .integer(Int64(received)), "messages_published": .integer(Int64(published)),
            "errors": .integer(Int64(errors)), "states_coalesced": .integer(Int64(coalesced)),
            "retained_commands": .integer(Int64(retainedCommands)),
            "refused_topics": .array(refused.sorted().prefix(20).map { .string($0) }),
        ]
    }
}
