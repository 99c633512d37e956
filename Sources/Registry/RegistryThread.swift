import Glibc

/// A thread that runs one actor's jobs, one after the other, and a timer between them.
///
/// The registry's calls block on the disk, so they must not stand on the loop, nor hold a thread of the pool that all
/// tasks share.
final class RegistryThread: SerialExecutor {
    private let inbox: ThreadInbox

    init() {
        inbox = ThreadInbox()
        let start = unsafe ThreadStart(inbox: inbox, executor: asUnownedSerialExecutor())
        var id = pthread_t()
        let argument = unsafe Unmanaged.passRetained(start).toOpaque()
        let code = unsafe pthread_create(&id, nil, runRegistryThread, argument)
        precondition(code == 0, "no thread for the registry: \(SystemError.text(code))")
        pthread_detach(id)
    }

    // The actor that owns this is gone, and with it every job; the thread ends by itself, perhaps on this very line.
    deinit { inbox.stop() }

    func enqueue(_ job: consuming ExecutorJob) { inbox.append(UnownedJob(job)) }

    func checkIsolated() { precondition(inbox.isCurrentThread, "not on the registry's thread") }

    func isIsolatingCurrentContext() -> Bool? { inbox.isCurrentThread }

    /// Calls `body` on the thread, between jobs, whenever a timer fires.
    func onTimer(_ body: @escaping @Sendable () -> Void) { inbox.setTimerBody(body) }

    /// Lets the timer fire once; one that is set already stays as it is.
    func startTimer(after delay: Duration) { inbox.startTimer(after: delay) }
}

/// What the new thread needs; given to it through `pthread_create`.
@safe private final class ThreadStart {
    let inbox: ThreadInbox
    let executor: UnownedSerialExecutor

    init(inbox: ThreadInbox, executor: UnownedSerialExecutor) {
        self.inbox = inbox
        unsafe self.executor = executor
    }
}

private func runRegistryThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument = unsafe argument else { return nil }
    let start = unsafe Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue()
    start.inbox.adoptCurrentThread()
    while let work = start.inbox.next() {
        switch work {
        // A job keeps its actor, and so its executor, alive until it has run.
        case .job(let job): unsafe job.runSynchronously(on: start.executor)
        case .timer(let body): body()
        }
    }
    return nil
}
