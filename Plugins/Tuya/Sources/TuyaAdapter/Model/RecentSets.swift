import EventLoop
import JSON
import TuyaProtocol

/// What was set a moment ago, so that late copies of the values before do not make the state bounce.
///
/// Lamps repeat their old values for a second or two after they took and reported new ones. A report of exactly the old
/// value, after the new one was reported, is put aside; asking the device a little later tells which is true.
struct RecentSets {
    private struct Entry {
        var id: Int
        var old: JSON
        var new: JSON
        var until: MonotonicTime
        /// The new value was reported, at this time by the device's clock.
        var isConfirmed = false
        var time: Int64?
    }

    private var entries: [Entry] = []

    var isEmpty: Bool { entries.isEmpty }

    /// A point was set to something else than it held.
    mutating func note(_ id: Int, from old: JSON, to new: JSON, until: MonotonicTime) {
        entries.removeAll { $0.id == id }
        guard !old.isSameValue(as: new) else { return }
        entries.append(Entry(id: id, old: old, new: new, until: until))
    }

    /// Takes late copies out of a report.
    ///
    /// - Returns: when to ask the device, if something was taken out.
    mutating func sift(_ report: inout StatusReport, at now: MonotonicTime) -> MonotonicTime? {
        entries.removeAll { $0.until <= now }
        if entries.isEmpty { entries = [] }
        var asks: MonotonicTime?
        for index in entries.indices {
            let entry = entries[index]
            guard let value = report.points[entry.id] else { continue }
            if value.isSameValue(as: entry.new) {
                entries[index].isConfirmed = true
                entries[index].time = report.time
            } else if entry.isConfirmed, value.isSameValue(as: entry.old), !isNewer(report.time, than: entry.time) {
                report.points[entry.id] = nil
                asks = entry.until
            }
        }
        return asks
    }

    private func isNewer(_ time: Int64?, than other: Int64?) -> Bool {
        guard let time, let other else { return false }
        return time > other
    }
}
