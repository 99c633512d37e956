package import EventLoop
package import TuyaProtocol

/// Data points that wait to be set, or whose answer is awaited.
package struct PendingSet: Sendable {
    /// Names a caller who wants to know how it ends.
    package typealias Ticket = UInt32

    /// What goes out, in order.
    package var points: DataPoints
    /// The part that goes out before the rest, for devices that want it so.
    package var firstPart: DataPoints?
    /// The hub's sub-device that is meant.
    package var child: String?
    /// Everyone who waits for this set; more than one where a newer set took the place of an older.
    package var tickets: [Ticket]
    /// When the callers stop waiting.
    package var deadline: MonotonicTime
    /// Whether sending it twice does the same as once.
    package var isRepeatable = true
    /// Points whose report is expected.
    package var reported: [Int] = []
    /// An acknowledgement is not enough: the callers wait for the report, as long as one may come.
    package var waitsForReport = false

    /// - Parameter ticket: nil where nobody waits.
    package init(
        points: DataPoints,
        firstPart: DataPoints? = nil,
        child: String? = nil,
        ticket: Ticket?,
        deadline: MonotonicTime,
        isRepeatable: Bool = true,
        reported: [Int] = []
    ) {
        self.points = points
        self.firstPart = firstPart
        self.child = child
        tickets = ticket.map { [$0] } ?? []
        self.deadline = deadline
        self.isRepeatable = isRepeatable
        self.reported = reported
    }

    /// Whether doing `newer` after this makes this one pointless.
    func isSuperseded(by newer: PendingSet) -> Bool {
        isRepeatable && newer.isRepeatable && child == newer.child && points.allSatisfy { newer.points[$0.id] != nil }
    }
}
