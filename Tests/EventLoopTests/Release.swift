import Glibc
import Synchronization

/// Holds threads back until the test lets them go.
final class Release: Sendable {
    private let isReleased = Atomic<Bool>(false)

    func wait() {
        while !isReleased.load(ordering: .acquiring) { usleep(1_000) }
    }

    func release() { isReleased.store(true, ordering: .releasing) }
}
