import EventLoop
import Glibc

/// Waits for somebody to end the program.
@Loop
final class Interruption {
    /// Why it ends.
    enum Kind {
        /// SIGINT or SIGTERM.
        case stop
        /// A request to start again.
        case restart
    }

    private var watches: [SignalWatch] = []
    private var continuation: CheckedContinuation<Kind, Never>?
    private var kind: Kind?

    /// Watches from now on, so that a signal during the start is not lost.
    init() {
        for signal in [SIGINT, SIGTERM] {
            // Fails only where the loop cannot watch any signal; the default action then ends the program.
            if let watch = try? SignalWatch(signal, { [weak self] in self?.end(.stop) }) { watches.append(watch) }
        }
    }

    /// Ends the wait; only the first end counts.
    func end(_ kind: Kind) {
        guard self.kind == nil else { return }
        self.kind = kind
        continuation?.resume(returning: kind)
        continuation = nil
    }

    /// Returns when somebody ended it.
    func wait() async -> Kind {
        if let kind { return kind }
        return await withCheckedContinuation { continuation = $0 }
    }

    /// Returns at the first SIGINT or SIGTERM.
    static func wait() async { _ = await Interruption().wait() }
}
