import Glibc
import Synchronization

/// The jobs and the timer of one thread, which sleeps while there is nothing to do.
///
/// `@unchecked Sendable`: all that changes is read and written under `mutex`, apart from `thread`, which is atomic.
@safe final class ThreadInbox: @unchecked Sendable {
    enum Work {
        case job(UnownedJob)
        case timer(@Sendable () -> Void)
    }

    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let arrival = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private let thread = Atomic<UInt>(0)
    private var jobs: [UnownedJob] = []
    private var nextJob = 0
    private var timerBody: (@Sendable () -> Void)?
    private var deadline: timespec?
    private var isStopped = false

    init() {
        unsafe pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        // A step of the wall clock must not move the timer.
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe pthread_cond_init(arrival, &attributes)
        unsafe pthread_condattr_destroy(&attributes)
    }

    deinit {
        unsafe pthread_cond_destroy(arrival)
        unsafe pthread_mutex_destroy(mutex)
        unsafe arrival.deallocate()
        unsafe mutex.deallocate()
    }

    var isCurrentThread: Bool { thread.load(ordering: .relaxed) == pthread_self() }

    func adoptCurrentThread() { thread.store(pthread_self(), ordering: .relaxed) }

    func append(_ job: UnownedJob) {
        locked { jobs.append(job) }
    }

    func setTimerBody(_ body: @escaping @Sendable () -> Void) {
        locked { timerBody = body }
    }

    func startTimer(after delay: Duration) {
        locked { if deadline == nil { deadline = Self.now(plus: delay) } }
    }

    func stop() {
        locked { isStopped = true }
    }

    /// Waits for the next thing to do; nil once stopped and nothing is left.
    func next() -> Work? {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while true {
            if let deadline, Self.isOver(deadline) {
                self.deadline = nil
                if let timerBody { return .timer(timerBody) }
            }
            if nextJob < jobs.count {
                defer { nextJob += 1 }
                return .job(jobs[nextJob])
            }
            jobs.removeAll(keepingCapacity: true)
            nextJob = 0
            if isStopped { return nil }
            if var deadline {
                unsafe pthread_cond_timedwait(arrival, mutex, &deadline)
            } else {
                unsafe pthread_cond_wait(arrival, mutex)
            }
        }
    }

    private func locked(_ change: () -> Void) {
        unsafe pthread_mutex_lock(mutex)
        change()
        unsafe pthread_cond_signal(arrival)
        unsafe pthread_mutex_unlock(mutex)
    }

    private static func now(plus delay: Duration = .zero) -> timespec {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        let (seconds, attoseconds) = delay.components
        let nanoseconds = time.tv_nsec + Int(attoseconds / 1_000_000_000)
        time.tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
        time.tv_nsec = nanoseconds % 1_000_000_000
        return time
    }

    private static func isOver(_ deadline: timespec) -> Bool {
        let now = now()
        return (now.tv_sec, now.tv_nsec) >= (deadline.tv_sec, deadline.tv_nsec)
    }
}
