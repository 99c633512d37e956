import CUV
import Glibc
import Synchronization

/// Runs the jobs of ``Loop`` on a libuv loop.
///
/// Work from the loop's own thread goes to `local`, which is drained in libuv's prepare phase, right before the loop
/// polls; work from other threads goes to the locked `remote` and wakes the loop once for all that arrived together.
///
/// `@unchecked Sendable`: `thread` and `remote` are synchronized; all else is touched only by the loop's thread, once
/// that is known, and by `init` before.
@safe final class LoopExecutor: SerialExecutor, @unchecked Sendable {
    /// The most pieces of work that are run before the loop looks for I/O again.
    private static let budget = 256

    let loop: UnsafeMutablePointer<uv_loop_t>
    /// What all streams read into, one after the other.
    let readBuffer: uv_buf_t
    /// What all UDP sockets receive into: 16 datagrams of the largest size at a time.
    ///
    /// Only touched pages take memory.
    let datagramBuffer: uv_buf_t
    private let wakeUp: UnsafeMutablePointer<uv_async_t>
    private let beforePolling: UnsafeMutablePointer<uv_prepare_t>
    /// Active while work is left over, which makes libuv poll without waiting.
    private let leftover: UnsafeMutablePointer<uv_idle_t>

    /// `pthread_self()` of the loop's thread; 0 while there is none.
    private let thread = Atomic<UInt>(0)
    private let isStarted = Atomic<Bool>(false)
    private let remote = RemoteQueue()
    private var local = WorkQueue()
    private var ticks = WorkQueue()
    private var incoming: [LoopWork] = []

    init() {
        unsafe loop = .allocate(capacity: 1)
        unsafe readBuffer = uv_buf_init(.allocate(capacity: 64 * 1024), 64 * 1024)
        unsafe datagramBuffer = uv_buf_init(.allocate(capacity: 16 * 64 * 1024), 16 * 64 * 1024)
        unsafe wakeUp = .allocate(capacity: 1)
        unsafe beforePolling = .allocate(capacity: 1)
        unsafe leftover = .allocate(capacity: 1)
        // A peer that closes must be an error of the write, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        let opened = unsafe uv_loop_init(loop)
        precondition(opened == 0, "libuv cannot open a loop: \(LoopError.text(opened))")
        unsafe uv_prepare_init(loop, beforePolling)
        unsafe uv_idle_init(loop, leftover)
        let armed = unsafe uv_async_init(loop, wakeUp) { _ in Loop.shared.executor.receive() }
        precondition(armed == 0, "libuv cannot open an eventfd: \(LoopError.text(armed))")
        unsafe uv_prepare_start(beforePolling) { _ in Loop.shared.executor.turn() }
    }

    var isCurrent: Bool { pthread_self() == thread.load(ordering: .relaxed) }

    // MARK: SerialExecutor

    func enqueue(_ job: consuming ExecutorJob) {
        submit(.job(UnownedJob(job)))
    }

    func checkIsolated() {
        precondition(isCurrent, "not on the loop")
    }

    func isIsolatingCurrentContext() -> Bool? { isCurrent }

    // MARK: Adding work

    /// Adds work from any thread.
    func submit(_ work: LoopWork) {
        if isCurrent { return local.append(work) }
        guard remote.append(work) else { return }
        startIfNeeded()
        unsafe uv_async_send(wakeUp)
    }

    /// Adds a closure that runs after the current job or callback; on the loop's own thread only.
    func nextTick(_ body: @escaping @Loop () -> Void) {
        ticks.append(.call(body))
    }

    // MARK: Running

    /// Makes the calling thread the loop's.
    func adoptCurrentThread() {
        precondition(claim(), "the loop runs already: call runMain before anything that uses it")
        thread.store(pthread_self(), ordering: .relaxed)
    }

    /// Runs the loop on the calling thread, for as long as the process lives.
    func run() {
        unsafe uv_run(loop, UV_RUN_DEFAULT)
    }

    /// Sends what was gathered in this turn; for a process that is about to exit.
    func flush() {
        Loop.assumeIsolated { GatheredWrites.flush() }
    }

    /// Whether the caller is the first who wants to run the loop.
    private func claim() -> Bool {
        isStarted.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
    }

    /// Starts a thread for the loop if no thread runs it.
    private func startIfNeeded() {
        guard claim() else { return }
        var id = pthread_t()
        let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { _ in
            let executor = Loop.shared.executor
            executor.thread.store(pthread_self(), ordering: .relaxed)
            executor.run()
            return nil
        }
        let code = unsafe pthread_create(&id, nil, main, nil)
        precondition(code == 0, "no thread for the loop: \(LoopError.text(-code))")
        pthread_detach(id)
    }

    /// Takes over what other threads have sent.
    private func receive() {
        // Two arrays change places, so that their memory is used again and the lock is held for an exchange only.
        remote.take(into: &incoming)
        for work in incoming { local.append(work) }
        incoming.removeAll(keepingCapacity: true)
    }

    /// Runs the work of one turn of the loop, then sends what it gathered.
    private func turn() {
        runTicks()
        var budget = Self.budget
        while budget > 0, let work = local.popFirst() {
            run(work)
            runTicks()
            budget -= 1
        }
        flush()
        if local.isEmpty && ticks.isEmpty {
            unsafe uv_idle_stop(leftover)
        } else {
            unsafe uv_idle_start(leftover) { _ in }
        }
    }

    private func runTicks() {
        while let tick = ticks.popFirst() { run(tick) }
    }

    private func run(_ work: LoopWork) {
        switch work {
        case .job(let job): unsafe job.runSynchronously(on: asUnownedSerialExecutor())
        case .call(let body): Loop.assumeIsolated(body)
        }
    }
}
