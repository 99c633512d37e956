/// A first-in, first-out ring of work that grows by doubling and never shrinks, so that a steady load allocates nothing.
struct WorkQueue {
    private var slots: [LoopWork?] = Array(repeating: nil, count: 64)
    private var head = 0
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func append(_ work: LoopWork) {
        if count == slots.count { grow() }
        slots[(head + count) & (slots.count - 1)] = work
        count += 1
    }

    mutating func popFirst() -> LoopWork? {
        guard count > 0 else { return nil }
        let work = slots[head]
        slots[head] = nil
        head = (head + 1) & (slots.count - 1)
        count -= 1
        return work
    }

    private mutating func grow() {
        // Capacities are powers of two, so that an index wraps by a mask.
        var larger: [LoopWork?] = []
        larger.reserveCapacity(slots.count * 2)
        for offset in 0..<count { larger.append(slots[(head + offset) & (slots.count - 1)]) }
        larger.append(contentsOf: repeatElement(nil, count: slots.count * 2 - count))
        slots = larger
        head = 0
    }
}
