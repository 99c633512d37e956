import EventLoop
import JSON

/// Gathers a hub's list of its sub-devices, which comes in several frames.
struct ChildList {
    private(set) var online: [String] = []
    private(set) var offline: [String] = []
    /// The list is complete when nothing more has come until then.
    var completeAt: MonotonicTime

    /// The most names that are kept.
    private static let limit = 1024

    /// Adds a frame's part.
    ///
    /// - Parameter data: `{"online":[…],"offline":[…],"nearby":[…]}`.
    mutating func add(_ data: JSON?) {
        add(data?["online"], to: &online)
        add(data?["offline"], to: &offline)
    }

    private func add(_ names: JSON?, to list: inout [String]) {
        for name in names?.arrayValue ?? [] {
            // Some hubs list objects with the name inside.
            guard let name = name.stringValue ?? name["cid"]?.stringValue, list.count < Self.limit else { continue }
            if !list.contains(name) { list.append(name) }
        }
    }
}
