import Glibc

/// Work that other threads have for the loop.
///
/// The lock is a pthread mutex because ThreadSanitizer knows those: where a `Synchronization.Mutex` is contended, the
/// lock is taken inside the standard library, which is not instrumented, and a race is reported that is none.
///
/// `@unchecked Sendable`: all is touched under the lock only.
@safe final class RemoteQueue: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var work: [LoopWork] = []

    init() {
        unsafe pthread_mutex_init(mutex, nil)
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    /// Adds work.
    ///
    /// - Returns: whether it is the first since the last `take`, so that the loop must be woken.
    func append(_ new: LoopWork) -> Bool {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        work.append(new)
        return work.count == 1
    }

    /// Exchanges all work against an empty array, whose memory is then used for the next.
    func take(into empty: inout [LoopWork]) {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        swap(&work, &empty)
    }
}
