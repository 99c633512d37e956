import EventLoop

/// Lets one after the other at the radio, in the order in which they come.
@Loop
final class Turns {
    /// Whether somebody is at it.
    private(set) var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Waits for the turn; every return must be followed by one ``leave()``.
    func enter() async {
        guard isTaken else {
            isTaken = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    /// Hands the turn on.
    func leave() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
}
