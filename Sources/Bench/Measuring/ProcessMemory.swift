import JSON

/// The memory of one process, in bytes.
struct ProcessMemory: Sendable {
    let name: String
    /// What it has for itself, and its part of what it shares.
    ///
    /// The benchmark is among the sharers of libraries, so that this is a little too good; ``resident`` is too bad.
    let proportional: Int
    /// What no other process has.
    let own: Int
    /// All that it has in memory, shared or not.
    let resident: Int

    var json: JSON { ["pss": JSON(proportional), "own": JSON(own), "rss": JSON(resident)] }
}
