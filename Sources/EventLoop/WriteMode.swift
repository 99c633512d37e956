/// When written bytes go to the system.
package enum WriteMode: Sendable {
    /// At once, in a system call of their own; for messages that come one at a time.
    case immediate
    /// Before the loop polls again, in one system call with all else that was written to the stream in this turn.
    case coalesced
}
