import Glibc

/// A value behind a POSIX mutex.
///
/// Not `Synchronization.Mutex`: on Linux it locks by futex within a library that ThreadSanitizer does not see into, which
/// then reports races where there are none.
package final class Guarded<Value: Sendable>: @unchecked Sendable {
    // Sendable because both are touched only between lock and unlock.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var value: Value

    /// Puts a value behind a mutex of its own.
    package init(_ value: Value) {
        self.value = value
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs a body that has the value to itself; it must not take long and not come back here.
    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
