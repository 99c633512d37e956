/// What a simulated device has seen since it was made.
package struct LampCounts: Sendable, Equatable {
    package var connections = 0
    package var turnedAway = 0
    package var negotiations = 0
    package var frames = 0
    /// Pieces of the stream that a silent device took no notice of.
    package var unheard = 0
    package var heartbeats = 0
    package var queries = 0
    package var sets = 0
    package var reports = 0
}
