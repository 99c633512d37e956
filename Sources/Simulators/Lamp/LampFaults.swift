/// What is wrong with a simulated device at present; all of it can be switched while it runs.
package struct LampFaults: Sendable, Equatable {
    /// What is sent instead of a good status.
    package enum StatusAnswer: Sendable, Equatable {
        /// Return code 1 and no body.
        case empty
        /// `{"dps":{}}`.
        case noPoints
        /// All data points there, and each of them null.
        case nullPoints
        /// These points only.
        case points([Int])
        /// The first so many bytes of the right answer.
        case truncated(bytes: Int)
        /// This text with return code 1.
        case text(String)
    }

    // What happens to bytes on their way out.

    /// Everything leaves later by this.
    package var delay = Duration.zero
    /// Frames leave in segments of these sizes, over and over; empty for whole frames.
    package var segmentSizes: [Int] = []
    /// The time between two segments of a frame.
    package var segmentPause = Duration.milliseconds(1)
    /// Frames of this span of time leave in one write.
    package var mergeWindow: Duration?
    /// Bytes in front of each frame.
    package var garbage: [UInt8] = []
    /// Every frame leaves with a wrong checksum, code or tag.
    package var corruptsChecksums = false

    // What happens to connections.

    /// Overrides the habit; 1 refuses a second connection, 0 every one.
    package var maximumClients: Int?
    /// Accepts, hears everything and says nothing.
    package var isSilent = false
    /// So many of the next sessions are dead although their key is good, as 1 in 256 of the vendor's SDK is by itself.
    package var deadSessions = 0
    /// Closes the connection when a set arrives, without an answer and without carrying it out.
    package var closesOnSet = false

    // What happens to answers and reports.

    package var statusAnswer: StatusAnswer?
    /// Every request but heartbeats is answered with this text and return code 1.
    package var errorText: String?
    /// Overrides the habit for good control commands.
    package var controlReturnCode: Int32?
    /// Sets are acknowledged and not carried out.
    package var ignoresSets = false
    /// Sets are carried out and not acknowledged.
    package var losesAcknowledgements = false
    /// Nothing is reported.
    package var losesReports = false
    /// Each report is sent in pieces of one data point.
    package var splitsReports = false
    /// Each report is sent twice.
    package var repeatsReports = false
    /// After a set's report, the values from before it are reported again with their old time, this much later.
    package var lateCopyDelay: Duration?

    /// A healthy device.
    package init() {}

    /// Whether bytes leave as they are made, at once.
    var sendsPlainly: Bool {
        delay == .zero && segmentSizes.isEmpty && mergeWindow == nil && garbage.isEmpty && !corruptsChecksums
    }
}
