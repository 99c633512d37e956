import EventLoop
import Glibc

/// Waits for somebody to end the program.
@Loop
enum Interruption {
    /// Returns at the first SIGINT or SIGTERM.
    static func wait() async {
        var watches: [SignalWatch] = []
        await withCheckedContinuation { continuation in
            var isDone = false
            for signal in [SIGINT, SIGTERM] {
                let watch = try? SignalWatch(signal) {
                    guard !isDone else { return }
                    isDone = true
                    continuation.resume()
                }
                if let watch { watches.append(watch) }
            }
        }
        watches.removeAll()
    }
}
