import HomeModel
import JSON
import PluginWire

/// What waits while the gateway is slow to read; bounded, and explicit about what it gives up.
///
/// State is coalesced per device and property, descriptions and connectivity per device, the plugin's status as a whole:
/// the newest wins. Of events, and of log records, the newest ``eventLimit`` are kept and the dropped ones counted. Lines
/// (answers and requests) and the progress of pairing sessions never drop. What is about one device leaves in the order in which it came, where a coalesced
/// report counts as come when its newest part did, if anything else about the device came in between.
package struct OutboundQueue {
    /// The most events, and the most log records, that wait.
    package static let eventLimit = 1000

    /// More than waits in ordinary times.
    private static let usualCount = 64

    private enum Entry {
        case line([UInt8])
        case report(Report)
    }

    /// A kind of report of which one per device waits.
    private enum Slot: Hashable {
        case state(VendorID)
        case connectivity(VendorID)
        case description(VendorID)
        case status

        /// Those of a device.
        static func all(of device: VendorID) -> [Slot] {
            [.state(device), .connectivity(device), .description(device)]
        }
    }

    /// Entries by position; positions count up, and those that were coalesced or dropped are missing.
    private var entries: [Int: Entry] = [:]
    private var head = 0
    private var tail = 0
    private var slots: [Slot: Int] = [:]
    /// The position of the newest entry about a device.
    private var newest: [VendorID: Int] = [:]
    private var events = PositionRing(limit: eventLimit)
    private var records = PositionRing(limit: eventLimit)
    /// Events dropped since the last ``takeDropped()``.
    private var droppedEvents = 0
    private var droppedRecords = 0

    package init() {}

    /// Whether nothing waits.
    package var isEmpty: Bool { entries.isEmpty }
    /// How many entries wait.
    package var count: Int { entries.count }

    /// Adds a line that must not be lost.
    package mutating func push(line: [UInt8]) {
        append(.line(line))
    }

    /// Adds a report, or makes it one with what waits.
    package mutating func push(_ report: Report) {
        switch report {
        case .state(let note):
            coalesce(.state(note.device), report) { older in
                guard case .state(var merged) = older else { return report }
                for (key, value) in note.state { merged.state[key] = value }
                merged.sequence = note.sequence
                merged.at = note.at
                return .state(merged)
            }
        case .connectivity(let note):
            coalesce(.connectivity(note.device), report) { _ in report }
        case .described(let note, let isNew):
            coalesce(.description(note.description.vendorID), report) { older in
                guard case .described(let before, let wasNew) = older else { return report }
                var merged = note
                if let kept = before.secrets { merged.secrets = kept.merging(note.secrets ?? Secrets()) }
                return .described(merged, isNew: isNew || wasNew)
            }
        case .status:
            coalesce(.status, report) { _ in report }
        case .removed(let device):
            for slot in Slot.all(of: device) {
                if let position = slots.removeValue(forKey: slot) { entries[position] = nil }
            }
            newest[device] = append(.report(report))
        case .progress(let note):
            // What was told of its devices before stays before it, whatever is told of them later.
            for device in note.progress.devices { for slot in Slot.all(of: device) { slots[slot] = nil } }
            append(.report(report))
        case .event(let note):
            if let oldest = events.push(tail) {
                entries[oldest] = nil
                droppedEvents += 1
            }
            newest[note.device] = append(.report(report))
        case .log:
            if let oldest = records.push(tail) {
                entries[oldest] = nil
                droppedRecords += 1
            }
            append(.report(report))
        }
    }

    /// Takes the next line off, nil where nothing waits.
    package mutating func pop() -> [UInt8]? {
        while head < tail {
            let position = head
            head += 1
            guard let entry = entries.removeValue(forKey: position) else { continue }
            switch entry {
            case .line(let line):
                return line
            case .report(let report):
                forget(report, at: position)
                return report.line
            }
        }
        giveBack()
        return nil
    }

    /// Gives back the room that a burst has taken, such as the descriptions of all devices at the start.
    private mutating func giveBack() {
        guard entries.capacity > Self.usualCount else { return }
        entries = [:]
        slots = [:]
        newest = [:]
    }

    /// How many events and log records were dropped since the last call.
    package mutating func takeDropped() -> (events: Int, records: Int) {
        defer { (droppedEvents, droppedRecords) = (0, 0) }
        return (droppedEvents, droppedRecords)
    }

    @discardableResult
    private mutating func append(_ entry: Entry) -> Int {
        entries[tail] = entry
        tail += 1
        return tail - 1
    }

    /// Makes a report one with the older one of its kind: in its place if nothing about the device came since, else at the
    /// end.
    private mutating func coalesce(_ slot: Slot, _ report: Report, _ merged: (Report) -> Report) {
        var report = report
        if let position = slots[slot], case .report(let older)? = entries[position] {
            report = merged(older)
            if report.device.flatMap({ newest[$0] }) ?? position == position {
                entries[position] = .report(report)
                return
            }
            entries[position] = nil
        }
        let position = append(.report(report))
        slots[slot] = position
        if let device = report.device { newest[device] = position }
    }

    /// Drops what the indices say of an entry that has left.
    private mutating func forget(_ report: Report, at position: Int) {
        if let device = report.device, newest[device] == position { newest[device] = nil }
        switch report {
        case .state(let note): free(.state(note.device), of: position)
        case .connectivity(let note): free(.connectivity(note.device), of: position)
        case .described(let note, _): free(.description(note.description.vendorID), of: position)
        case .status: free(.status, of: position)
        case .event: events.pop()
        case .log: records.pop()
        case .removed, .progress: break
        }
    }

    /// A slot may have gone to a newer entry.
    private mutating func free(_ slot: Slot, of position: Int) {
        if slots[slot] == position { slots[slot] = nil }
    }
}

/// The positions of the newest entries of a kind, oldest first.
private struct PositionRing {
    let limit: Int
    private var positions: [Int] = []
    private var first = 0

    init(limit: Int) { self.limit = limit }

    /// Adds a position.
    ///
    /// - Returns: the oldest one, where there are more than the limit.
    mutating func push(_ position: Int) -> Int? {
        positions.append(position)
        guard positions.count - first > limit else { return nil }
        let oldest = positions[first]
        pop()
        return oldest
    }

    /// Forgets the oldest position.
    mutating func pop() {
        first += 1
        guard first >= limit else { return }
        positions.removeFirst(first)
        first = 0
    }
}
