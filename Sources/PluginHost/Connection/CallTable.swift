package import EventLoop
package import HomeModel
package import JSON
package import PluginWire

/// The requests to a plugin that are not answered: those that it has got, and those that wait for their turn.
///
/// At most ``maxOutstanding`` are with the plugin at a time and ``maxWaiting`` wait, in order; more are refused. Every one
/// has a moment at which it is given up.
package struct CallTable {
    /// The most requests that the plugin has got at a time.
    package static let maxOutstanding = 64
    /// The most requests that wait.
    package static let maxWaiting = 1024

    /// Gets the result, once.
    package typealias Completion = @Loop (Result<JSON, CommandError>) -> Void

    /// What became of a new request.
    package enum Admission: Equatable {
        /// It is to be sent now.
        case send
        /// It waits.
        case wait
        /// Too many wait.
        case refuse
    }

    /// A request that waits for its turn.
    package struct Waiting {
        package var id: Int64
        package var call: GatewayCall
        package var deadline: MonotonicTime
    }

    private struct Open {
        var deadline: MonotonicTime
        var completion: Completion
        var isSent: Bool
    }

    private var open: [Int64: Open] = [:]
    private var waiting: [Waiting] = []
    private var firstWaiting = 0
    private var outstanding = 0
    private var lastID: Int64 = 0

    package init() {}

    /// How many requests are open, sent or not.
    package var count: Int { open.count }

    /// The moment at which the first request is to be given up.
    package var earliestDeadline: MonotonicTime? { open.values.lazy.map(\.deadline).min() }

    /// Whether an id was given to a request that may since have been given up.
    package func wasIssued(_ id: Int64) -> Bool { id > 0 && id <= lastID }

    /// Takes a request in.
    ///
    /// - Parameters:
    ///   - isUrgent: whether it goes ahead of all others, whatever is outstanding; for pings and the stop.
    ///   - mayWrite: whether the plugin has room for more bytes.
    /// - Returns: what is to be done with it; the id counts unless it is refused.
    package mutating func add(
        _ call: GatewayCall,
        deadline: MonotonicTime,
        isUrgent: Bool,
        mayWrite: Bool,
        completion: @escaping Completion
    ) -> (admission: Admission, id: Int64) {
        let goesNow = isUrgent || mayWrite && outstanding < Self.maxOutstanding && firstWaiting == waiting.count
        guard goesNow || waiting.count - firstWaiting < Self.maxWaiting else { return (.refuse, 0) }
        lastID += 1
        open[lastID] = Open(deadline: deadline, completion: completion, isSent: goesNow)
        if goesNow {
            outstanding += 1
        } else {
            waiting.append(Waiting(id: lastID, call: call, deadline: deadline))
        }
        return (goesNow ? .send : .wait, lastID)
    }

    /// The next request whose turn has come, counted as sent.
    package mutating func next() -> Waiting? {
        while outstanding < Self.maxOutstanding, firstWaiting < waiting.count {
            let candidate = waiting[firstWaiting]
            firstWaiting += 1
            if firstWaiting == waiting.count || firstWaiting >= Self.maxWaiting {
                waiting.removeFirst(firstWaiting)
                firstWaiting = 0
            }
            guard open[candidate.id] != nil else { continue }
            open[candidate.id]?.isSent = true
            outstanding += 1
            return candidate
        }
        return nil
    }

    /// Takes a request out, because it is answered, cancelled or given up.
    ///
    /// - Returns: nil where it is not open.
    package mutating func take(_ id: Int64) -> (completion: Completion, wasSent: Bool)? {
        guard let call = open.removeValue(forKey: id) else { return nil }
        if call.isSent {
            outstanding -= 1
        } else {
            // Given up before its turn: rare, so the search may take its time.
            waiting.removeSubrange(..<firstWaiting)
            firstWaiting = 0
            waiting.removeAll { $0.id == id }
        }
        return (call.completion, call.isSent)
    }

    /// The requests whose time is over, in the order in which they were made.
    package func expired(at now: MonotonicTime) -> [Int64] {
        open.filter { $0.value.deadline <= now }.keys.sorted()
    }

    /// Takes everything out, in the order in which it was made.
    package mutating func takeAll() -> [Completion] {
        let all = open.sorted { $0.key < $1.key }.map(\.value.completion)
        open = [:]
        waiting = []
        firstWaiting = 0
        outstanding = 0
        return all
    }
}
