package import JSON

/// The last known value of each data point of a device, put together from partial reports.
///
/// Source: protocol description, section 4.3.
package struct DataPointState: Equatable, Sendable {
    /// More points than any device has; a report of more is cut.
    package static let limit = 256
    /// A report that is older than the newest one for a point by more than this many seconds is a late copy.
    package static let tolerance: Int64 = 2

    /// 32 bytes: there are many of them in a house.
    private struct Entry: Equatable, Sendable {
        var value: JSON
        var isStale: Bool
        var id: Int32
        /// `.min`: the device did not tell.
        var newest: Int64

        init(id: Int32, value: JSON, time: Int64?) {
            self.value = value
            self.id = id
            isStale = false
            newest = time ?? .min
        }

        var time: Int64? { newest == .min ? nil : newest }
    }

    private var entries: [Entry] = []

    /// What a report did.
    package struct Merge: Equatable, Sendable {
        /// Values that count: not late copies.
        package var accepted = DataPoints()
        /// Those of them that differ from what was known.
        package var changed = DataPoints()
    }

    /// Nothing known.
    package init() {}

    /// The value of a point, stale or not.
    package subscript(id: Int) -> JSON? { index(of: id).map { entries[$0].value } }

    /// All known values, stale or not.
    package var points: DataPoints {
        var points = DataPoints()
        for entry in entries { points[Int(entry.id)] = entry.value }
        return points
    }

    /// Whether the value was known before the last connection loss and not told again since.
    package func isStale(_ id: Int) -> Bool { index(of: id).map { entries[$0].isStale } ?? false }

    /// Marks everything as stale, after a reconnect.
    package mutating func markStale() {
        for index in entries.indices { entries[index].isStale = true }
    }

    /// Takes in a report; points it does not name keep their values.
    package mutating func merge(_ report: StatusReport) -> Merge {
        var merge = Merge()
        // The first report is mostly the whole state: no room for more than it has.
        if entries.isEmpty { entries.reserveCapacity(min(report.points.count, Self.limit)) }
        for (id, value) in report.points where !value.isNull {
            guard let index = index(of: id) else {
                guard entries.count < Self.limit, let number = Int32(exactly: id) else { continue }
                entries.append(Entry(id: number, value: value, time: report.time))
                merge.accepted[id] = value
                merge.changed[id] = value
                continue
            }
            if let time = report.time {
                if let newest = entries[index].time {
                    // A clock that was set back by a day or more is a new clock, not a late copy.
                    let age = newest.subtractingReportingOverflow(time)
                    if age.partialValue > Self.tolerance, age.partialValue < 86_400, !age.overflow { continue }
                }
                entries[index].newest = time
            }
            merge.accepted[id] = value
            if entries[index].value != value { merge.changed[id] = value }
            entries[index].value = value
            entries[index].isStale = false
        }
        return merge
    }

    private func index(of id: Int) -> Int? { entries.firstIndex { Int($0.id) == id } }
}
