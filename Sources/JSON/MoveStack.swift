/// A stack whose upper part can be moved out as one exactly sized array, without copying elements one by one.
struct MoveStack<Element>: ~Copyable {
    private var storage: UnsafeMutablePointer<Element>?
    private var capacity = 0
    private(set) var count = 0

    deinit {
        storage?.deinitialize(count: count)
        storage?.deallocate()
    }

    @inline(__always)
    mutating func push(_ element: consuming Element) {
        if count == capacity { grow() }
        storage?.advanced(by: count).initialize(to: element)
        count += 1
    }

    /// The elements from the bottom up, valid until the next push or pop.
    var slots: UnsafeMutableBufferPointer<Element> {
        @inline(__always) get { UnsafeMutableBufferPointer(start: storage, count: count) }
    }

    /// Moves everything from position `base` up into an array.
    mutating func popAll(from base: Int) -> [Element] {
        let popped = count - base
        guard popped > 0, let storage else { return [] }
        // `init(unsafeUninitializedCapacity:)` would look up the array's metadata each time, which is slower.
        var array: [Element] = []
        array.reserveCapacity(popped)
        for position in base..<count {
            array.append((storage + position).move())
        }
        count = base
        return array
    }

    @inline(never)
    private mutating func grow() {
        let larger = max(16, capacity * 2)
        let moved = UnsafeMutablePointer<Element>.allocate(capacity: larger)
        if let storage {
            moved.moveInitialize(from: storage, count: count)
            storage.deallocate()
        }
        storage = moved
        capacity = larger
    }
}
