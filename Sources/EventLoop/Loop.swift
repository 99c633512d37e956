import Glibc

/// The one thread of this process on which everything that carries messages runs.
///
/// Classes marked `@Loop` call each other synchronously: no lock, no task, no copy stands between a socket and another.
/// The actor's executor is a libuv loop, so C callbacks of that loop are already inside this isolation and enter it by
/// ``assumeIsolated(_:)``. Nothing on the loop may block or take over a millisecond; what may, goes through
/// ``offload(_:)``.
///
/// Async code on the loop is for cold paths: the Swift runtime resumes every continuation on its own pool first, whatever
/// the actor, so that each `await` of one costs two more thread switches (some 10 µs) than a closure.
///
/// A program calls ``runMain(_:)`` and gives its main thread to the loop. Where nobody does, as in tests, the loop starts
/// a thread of its own at the first use of the actor.
@globalActor
public actor Loop {
    /// The loop of this process.
    public static let shared = Loop()

    nonisolated let executor = LoopExecutor()

    /// The libuv loop that runs this actor's jobs.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    private init() {}

    /// Whether the calling thread is the loop's.
    @usableFromInline package nonisolated static var isCurrent: Bool { shared.executor.isCurrent }

    /// The present moment of the monotonic clock, read anew at each call.
    package nonisolated static var now: MonotonicTime { .now }

    /// Enters the loop's isolation from synchronous code that already runs on its thread, such as a C callback.
    ///
    /// - Precondition: the calling thread is the loop's.
    @inlinable package nonisolated static func assumeIsolated<T: Sendable, Failure: Error>(
        _ body: @Loop () throws(Failure) -> T
    ) throws(Failure) -> T {
        precondition(isCurrent, "not on the loop")
        return try withoutActuallyEscaping(body) {
            (escapable: @escaping @Loop () throws(Failure) -> T) throws(Failure) in
            // Sound: isolation is not part of a synchronous function's calling convention, so both types have one
            // representation; the isolation that the cast takes away was checked in the line above.
            try unsafe unsafeBitCast(escapable, to: (() throws(Failure) -> T).self)()
        }
    }

    /// Runs `body` after the current job or callback and before the loop looks for I/O again, in the order of the calls.
    ///
    /// Ticks are not limited: a chain of them without end would keep the loop from everything else.
    @Loop package static func nextTick(_ body: @escaping @Loop () -> Void) {
        shared.executor.nextTick(body)
    }

    /// Runs `body` on the loop, from any thread, in the order of the calls from that thread.
    ///
    /// For threads that are not ours and for cancellation handlers; everything else awaits.
    package nonisolated static func post(_ body: @escaping @Loop @Sendable () -> Void) {
        shared.executor.submit(.call(body))
    }

    /// Gives the calling thread to the loop, runs `main` on it, and exits the process with its result.
    ///
    /// What streams have gathered by then is sent, as far as the system takes it at once.
    ///
    /// - Precondition: called once, from the main thread, before anything else has used the actor.
    package nonisolated static func runMain(_ main: @escaping @Loop @Sendable () async -> Int32) -> Never {
        shared.executor.adoptCurrentThread()
        Task { @Loop in
            let status = await main()
            shared.executor.flush()
            exit(status)
        }
        shared.executor.run()
        // The loop ends only by the exit above: its wake-up handle is always open.
        exit(EXIT_FAILURE)
    }
}
