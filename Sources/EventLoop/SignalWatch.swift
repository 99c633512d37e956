import CUV

/// Calls a closure on the loop when the process gets a signal; dropping the last reference ends the watch.
///
/// While any watch of a signal exists, its default action, such as ending the process, does not happen.
@Loop
@safe package final class SignalWatch {
    private var handle: UnsafeMutablePointer<uv_signal_t>?
    private var body: (@Loop () -> Void)?

    /// Watches a signal such as `SIGTERM`.
    ///
    /// - Throws: ``LoopError/system(code:call:)`` for a number that cannot be watched, such as `SIGKILL`.
    package init(_ signal: Int32, _ body: @escaping @Loop () -> Void) throws(LoopError) {
        let handle = unsafe UVHandle.allocate(uv_signal_t.self)
        let opened = unsafe uv_signal_init(Loop.shared.executor.loop, handle)
        guard opened == 0 else {
            unsafe handle.deallocate()
            throw LoopError(uv: opened, call: "signal")
        }
        let started = unsafe uv_signal_start(handle, signalDidArrive, signal)
        guard started == 0 else {
            unsafe UVHandle.discard(handle)
            throw LoopError(uv: started, call: "signal")
        }
        self.body = body
        unsafe self.handle = handle
        unsafe handle.pointee.data = Unmanaged.passUnretained(self).toOpaque()
    }

    isolated deinit {
        cancel()
    }

    /// Ends the watch.
    package func cancel() {
        guard let handle = unsafe handle else { return }
        unsafe self.handle = nil
        body = nil
        unsafe UVHandle.discard(handle)
    }

    fileprivate func arrived() {
        body?()
    }
}

private func signalDidArrive(_ handle: UnsafeMutablePointer<uv_signal_t>?, _: Int32) {
    guard let data = unsafe handle?.pointee.data else { return }
    let watch = unsafe Unmanaged<SignalWatch>.fromOpaque(data).takeUnretainedValue()
    Loop.assumeIsolated { watch.arrived() }
}
