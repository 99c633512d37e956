import CUV

extension Loop {
    /// Runs blocking `work` on a thread of libuv's pool and comes back to the loop with its result.
    ///
    /// The pool has four threads (`UV_THREADPOOL_SIZE`), shared with name resolution. Work that has begun is not
    /// interrupted: it must bound its own time.
    ///
    /// - Throws: what `work` throws.
    @Loop package static func offload<T: Sendable>(_ work: @escaping @Sendable () throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            offload(work) { (result: Result<T, any Error>) in continuation.resume(with: result) }
        }
    }

    /// Runs blocking `work` on a thread of libuv's pool; `completion` gets its result on the loop, exactly once.
    @Loop package static func offload<T: Sendable>(
        _ work: @escaping @Sendable () throws -> T,
        completion: @escaping @Loop (Result<T, any Error>) -> Void
    ) {
        let result = OffloadedResult<T>()
        OffloadedWork.start(
            work: { result.value = Result { try work() } },
            completion: {
                guard let value = result.value else { return completion(.failure(LoopError.cancelled)) }
                completion(value)
            }
        )
    }
}

/// Carries a result from the worker to the loop.
///
/// `@unchecked Sendable`: written by the worker before libuv hands the request back to the loop, read after, under the
/// lock of libuv's pool.
private final class OffloadedResult<T: Sendable>: @unchecked Sendable {
    var value: Result<T, any Error>?
}

/// A request of libuv's thread pool together with what it runs; holds itself until libuv gives it back.
@safe private final class OffloadedWork {
    private let request = UnsafeMutablePointer<uv_work_t>.allocate(capacity: 1)
    fileprivate let work: @Sendable () -> Void
    fileprivate let completion: @Loop () -> Void

    private init(work: @escaping @Sendable () -> Void, completion: @escaping @Loop () -> Void) {
        self.work = work
        self.completion = completion
    }

    deinit { unsafe request.deallocate() }

    @Loop static func start(work: @escaping @Sendable () -> Void, completion: @escaping @Loop () -> Void) {
        let offloaded = OffloadedWork(work: work, completion: completion)
        unsafe offloaded.request.pointee.data = Unmanaged.passRetained(offloaded).toOpaque()
        let code = unsafe uv_queue_work(
            Loop.shared.executor.loop,
            offloaded.request,
            runOffloadedWork,
            endOffloadedWork
        )
        // Fails only without a work function (libuv 1.44, uv_queue_work).
        precondition(code == 0, "no worker: \(LoopError.text(code))")
    }
}

/// Runs on a thread of the pool.
private func runOffloadedWork(_ request: UnsafeMutablePointer<uv_work_t>?) {
    guard let data = unsafe request?.pointee.data else { return }
    unsafe Unmanaged<OffloadedWork>.fromOpaque(data).takeUnretainedValue().work()
}

/// Runs on the loop after the above has returned.
private func endOffloadedWork(_ request: UnsafeMutablePointer<uv_work_t>?, _ status: Int32) {
    guard let data = unsafe request?.pointee.data else { return }
    let offloaded = unsafe Unmanaged<OffloadedWork>.fromOpaque(data).takeRetainedValue()
    Loop.assumeIsolated(offloaded.completion)
}
