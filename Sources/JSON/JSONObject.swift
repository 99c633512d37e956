/// The members of a JSON object, in insertion order.
///
/// Keys are unique and compared byte by byte, unlike Swift's strings. Two objects are equal when they hold equal members,
/// in whatever order. Lookup is a linear search while small and a hash lookup above 16 members; removal is linear.
public struct JSONObject: Sendable {
    /// A member.
    public typealias Element = (key: String, value: JSON)

    /// Up to this many members a linear search is at least as fast as hashing.
    static let indexThreshold = 16

    /// A member as it is stored: a struct, because the runtime handles arrays of tuples slowly.
    struct Member: Sendable {
        var key: String
        var value: JSON
    }

    private(set) var members: [Member]
    /// Key to position; kept only above the threshold.
    private var positions: [ByteKey: Int]?

    /// Makes an object without members.
    public init() {
        members = []
    }

    /// Makes an object without members and with room for some.
    public init(reservingCapacity capacity: Int) {
        members = []
        members.reserveCapacity(capacity)
    }

    /// Makes an object of members in order; the last of equal keys wins, in the place of the first.
    public init(_ members: some Sequence<(String, JSON)>) {
        self.init(reservingCapacity: members.underestimatedCount)
        for (key, value) in members {
            self[key] = value
        }
    }

    /// Takes over members whose keys are known to differ.
    init(unique members: [Member], positions: [ByteKey: Int]?) {
        self.members = members
        self.positions = positions
        if positions == nil { indexIfLarge() }
    }

    /// The value of a member; setting adds at the end or replaces in place, setting `nil` removes.
    public subscript(key: String) -> JSON? {
        get {
            position(of: key).map { members[$0].value }
        }
        set {
            switch (position(of: key), newValue) {
            case (let position?, let value?):
                members[position].value = value
            case (let position?, nil):
                remove(at: position)
            case (nil, let value?):
                positions?[ByteKey(key)] = members.count
                members.append(Member(key: key, value: value))
                if positions == nil { indexIfLarge() }
            case (nil, nil):
                break
            }
        }
    }

    /// The keys in insertion order.
    public var keys: some RandomAccessCollection<String> {
        members.lazy.map(\.key)
    }

    /// Makes room for a number of members in all.
    public mutating func reserveCapacity(_ capacity: Int) {
        members.reserveCapacity(capacity)
    }

    private func position(of key: String) -> Int? {
        if let positions { return positions[ByteKey(key)] }
        return members.firstIndex { $0.key.isIdentical(to: key) }
    }

    private mutating func remove(at position: Int) {
        let key = members.remove(at: position).key
        guard var moved = positions.take() else { return }
        guard members.count > Self.indexThreshold else { return }
        moved[ByteKey(key)] = nil
        for later in position..<members.count {
            moved[ByteKey(members[later].key)] = later
        }
        positions = moved
    }

    private mutating func indexIfLarge() {
        guard members.count > Self.indexThreshold else { return }
        var positions = [ByteKey: Int](minimumCapacity: members.count)
        for (position, member) in members.enumerated() {
            positions[ByteKey(member.key)] = position
        }
        self.positions = positions
    }
}

extension JSONObject: RandomAccessCollection {
    /// The position of the first member.
    public var startIndex: Int { 0 }
    /// The position after the last member.
    public var endIndex: Int { members.count }
    /// The member at a position in insertion order.
    public subscript(position: Int) -> Element {
        (members[position].key, members[position].value)
    }
}

extension JSONObject: Equatable {
    /// Whether both hold equal members, in whatever order.
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        guard left.count == right.count else { return false }
        for position in left.indices {
            let member = left.members[position]
            let same = right.members[position]
            if same.key.isIdentical(to: member.key) {
                guard same.value == member.value else { return false }
            } else {
                guard let other = right[member.key], other == member.value else { return false }
            }
        }
        return true
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// Makes an object with the members in the order written; the last of equal keys wins.
    public init(dictionaryLiteral elements: (String, JSON)...) {
        self.init(elements)
    }
}
