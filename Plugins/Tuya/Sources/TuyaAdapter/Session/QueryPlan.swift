/// One question out of several that make up a question for the state.
enum QueryPart: Equatable {
    /// All data points of the device or of one of its children.
    case plain(child: String?)
    /// Named data points.
    case listed([Int])

    var child: String? {
        switch self {
        case .plain(let child): child
        case .listed: nil
        }
    }
}

/// How to ask a device for its state, and what is still to be asked.
///
/// Most devices answer the plain question. Some refuse it and answer only for data points that are named, some of them
/// only for a few at a time. Source: protocol description, section 3.8.
struct QueryPlan {
    enum Dialect {
        case plain
        /// The device22 dialect.
        case listed
        /// Both were refused: the device tells by itself or not at all.
        case none
    }

    /// A request must fit into about 255 bytes for old devices.
    static let pointsPerRequest = 10
    /// What is asked for without a schema.
    private static let usualPoints: [ClosedRange<Int>] = [
        1...10, 11...20, 21...30, 50...60, 61...70, 100...110, 111...120, 121...130, 131...140,
    ]

    var dialect = Dialect.plain
    /// Data points of the schema, or those that came back.
    var knownPoints: [Int] = []
    /// What is still to be asked, in order.
    private var due: [QueryPart] = []
    /// What came back while the usual points are asked for one block after the other.
    private var found: [Int] = []
    private var isSearching = false

    var isEmpty: Bool { due.isEmpty }

    /// Adds the question for the state of the device or a child, unless it is waiting already.
    mutating func add(child: String?) {
        let part = QueryPart.plain(child: child)
        guard !due.contains(part) else { return }
        guard child == nil, dialect == .listed else {
            if child != nil || dialect == .plain { due.append(part) }
            return
        }
        guard !due.contains(where: { $0.child == nil && $0 != part }) else { return }
        isSearching = knownPoints.isEmpty
        found = []
        if isSearching {
            due += Self.usualPoints.map { .listed(Array($0)) }
        } else {
            let starts = stride(from: 0, to: knownPoints.count, by: Self.pointsPerRequest)
            due += starts.map { .listed(Array(knownPoints[$0..<min($0 + Self.pointsPerRequest, knownPoints.count)])) }
        }
    }

    /// The next question.
    mutating func next() -> QueryPart? {
        guard !due.isEmpty else { return nil }
        let part = due.removeFirst()
        if due.isEmpty { due = [] }
        return part
    }

    /// Whether parts of the question for the device itself are still to be asked.
    var hasMoreOfDevice: Bool { due.contains { $0.child == nil } }

    /// Notes which points a named question brought.
    mutating func note(answered ids: [Int]) {
        guard isSearching else { return }
        found += ids.filter { !found.contains($0) }
        // The answer to the last block is in: these are the points that the device has.
        if !hasMoreOfDevice { finishSearch() }
    }

    /// Ends a search after its last block; with nothing found the device has nothing to tell.
    mutating func finishSearch() {
        guard isSearching else { return }
        isSearching = false
        knownPoints = found.sorted()
        found = []
    }

    /// The plain question was refused: names the points from now on.
    mutating func switchToListed() {
        dialect = .listed
        due.removeAll { $0.child == nil }
        add(child: nil)
    }

    /// Nothing is asked any more of the device itself.
    mutating func giveUp() {
        dialect = .none
        due.removeAll { $0.child == nil }
        isSearching = false
        found = []
    }

    mutating func removeAll() {
        due = []
        isSearching = false
        found = []
    }
}
