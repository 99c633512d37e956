import EventLoop

/// Runs an action for each entry a fixed time after it was added, with one timer for all.
@Loop
final class FixedDelayQueue<Entry> {
    private let delay: Duration
    private let action: @Loop (Entry) -> Void
    private var entries: [(due: MonotonicTime, entry: Entry)] = []
    private var head = 0
    private var timer: LoopTimer?

    init(delay: Duration, action: @escaping @Loop (Entry) -> Void) {
        self.delay = delay
        self.action = action
    }

    func add(_ entry: Entry) {
        entries.append((Loop.now + delay, entry))
        if timer == nil { arm(after: delay) }
    }

    private func arm(after delay: Duration) {
        timer = LoopTimer(after: delay) { [weak self] in self?.fire() }
    }

    private func fire() {
        timer = nil
        let now = Loop.now
        while head < entries.count, entries[head].due <= now {
            let entry = entries[head].entry
            head += 1
            action(entry)
        }
        if head == entries.count {
            entries.removeAll(keepingCapacity: true)
            head = 0
        } else {
            if head > 1024 {
                entries.removeFirst(head)
                head = 0
            }
            arm(after: entries[head].due - now)
        }
    }
}
