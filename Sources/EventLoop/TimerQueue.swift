import CUV

/// All timers of the loop in one binary heap, driven by one libuv timer.
///
/// A request's deadline is started and cancelled thousands of times a second and almost never fires. Here that costs one
/// object and a few moves in an array; a libuv handle each would cost two allocations and a turn of the loop to close.
@Loop
enum TimerQueue {
    private struct Entry {
        var deadline: MonotonicTime
        /// Orders equal deadlines.
        var sequence: UInt64
        var period: Duration?
        var fire: @Loop () -> Void
        /// Not retained: a timer removes its entry in its deinit, before its memory goes.
        unowned(unsafe) var timer: LoopTimer

        func isBefore(_ other: Entry) -> Bool {
            deadline == other.deadline ? sequence < other.sequence : deadline < other.deadline
        }
    }

    private static var heap: [Entry] = []
    private static var nextSequence: UInt64 = 0
    /// The moment for which `handle` is armed, in whole milliseconds of libuv's clock.
    private static var armedFor: UInt64?
    private static let handle: UnsafeMutablePointer<uv_timer_t> = {
        let handle = UnsafeMutablePointer<uv_timer_t>.allocate(capacity: 1)
        unsafe uv_timer_init(Loop.shared.executor.loop, handle)
        return unsafe handle
    }()

    static func schedule(
        _ timer: LoopTimer,
        at deadline: MonotonicTime,
        every period: Duration?,
        _ fire: @escaping @Loop () -> Void
    ) {
        let entry = Entry(
            deadline: deadline,
            sequence: nextSequence,
            period: period.map { max($0, .milliseconds(1)) },
            fire: fire,
            timer: timer
        )
        nextSequence += 1
        heap.append(entry)
        siftUp(entry, from: heap.count - 1)
        arm()
    }

    static func remove(_ timer: LoopTimer) {
        guard let slot = timer.slot else { return }
        // The closure leaves the heap before it is released: what it holds may be a timer, whose deinit comes back here.
        let removed = remove(at: slot)
        arm()
        _ = removed
    }

    // MARK: Firing

    private static func fireDue() {
        armedFor = nil
        let now = MonotonicTime.now
        // A timer started by a callback waits for the next round, so that callbacks cannot starve I/O.
        let newest = nextSequence
        while let first = heap.first, first.deadline <= now, first.sequence < newest {
            if let period = first.period {
                // Moments that have already passed are skipped, not caught up with.
                var entry = first
                let next = first.deadline + period
                entry.deadline = next > now ? next : now + period
                entry.sequence = nextSequence
                nextSequence += 1
                siftDown(entry, from: 0)
            } else {
                _ = remove(at: 0)
            }
            first.fire()
        }
        arm()
    }

    /// Points libuv's timer at the earliest deadline.
    private static func arm() {
        guard let first = heap.first else {
            if armedFor != nil { unsafe uv_timer_stop(handle) }
            armedFor = nil
            return
        }
        // Rounded up: libuv's clock counts whole milliseconds, and a timer must not be early.
        let due = first.deadline.nanoseconds / 1_000_000 + (first.deadline.nanoseconds % 1_000_000 == 0 ? 0 : 1)
        guard due != armedFor else { return }
        armedFor = due
        let now = unsafe uv_now(Loop.shared.executor.loop)
        unsafe uv_timer_start(
            handle,
            { _ in Loop.assumeIsolated { TimerQueue.fireDue() } },
            due > now ? due - now : 1,
            0
        )
    }

    // MARK: Heap

    private static func remove(at slot: Int) -> Entry {
        let removed = heap[slot]
        unsafe removed.timer.slot = nil
        let last = heap.removeLast()
        if slot < heap.count {
            if slot > 0 && last.isBefore(heap[(slot - 1) / 2]) {
                siftUp(last, from: slot)
            } else {
                siftDown(last, from: slot)
            }
        }
        return removed
    }

    private static func place(_ entry: Entry, at slot: Int) {
        heap[slot] = entry
        unsafe entry.timer.slot = slot
    }

    private static func siftUp(_ entry: Entry, from start: Int) {
        var slot = start
        while slot > 0 {
            let parent = (slot - 1) / 2
            guard entry.isBefore(heap[parent]) else { break }
            place(heap[parent], at: slot)
            slot = parent
        }
        place(entry, at: slot)
    }

    private static func siftDown(_ entry: Entry, from start: Int) {
        var slot = start
        while true {
            var child = slot * 2 + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count && heap[child + 1].isBefore(heap[child]) { child += 1 }
            guard heap[child].isBefore(entry) else { break }
            place(heap[child], at: slot)
            slot = child
        }
        place(entry, at: slot)
    }
}
