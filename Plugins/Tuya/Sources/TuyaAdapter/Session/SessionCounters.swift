/// What a session has seen, for diagnostics.
package struct SessionCounters: Sendable, Equatable {
    package var connects: UInt32 = 0
    package var sessions: UInt32 = 0
    package var framesIn: UInt32 = 0
    package var framesOut: UInt32 = 0
    package var reports: UInt32 = 0
    package var sets: UInt32 = 0
    package var retries: UInt32 = 0
    package var timeouts: UInt32 = 0
    package var badFrames: UInt32 = 0
    package var unparsable: UInt32 = 0
}
