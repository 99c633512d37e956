import CUV

/// Tells when a descriptor that belongs to somebody else, such as a C library, can be read or written.
///
/// The watch neither reads nor closes the descriptor; its owner must cancel the watch before the descriptor is closed.
/// Dropping the last reference cancels.
@Loop
@safe package final class DescriptorWatch {
    /// What a descriptor is ready for.
    package struct Events: OptionSet, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Something can be read, or the end has come.
        package static let readable = Events(rawValue: 1)
        /// Something can be written.
        package static let writable = Events(rawValue: 2)
    }

    private var handle: UnsafeMutablePointer<uv_poll_t>?
    private var events: Events
    private var body: (@Loop (Events) -> Void)?

    /// Watches a descriptor that the system can wait for, and makes it non-blocking.
    ///
    /// - Parameters:
    ///   - events: what to wait for; may be empty.
    ///   - body: called in each turn of the loop in which the descriptor is ready for any of the events. An error of the
    ///     descriptor counts as both, so that the next read or write finds it.
    package init(
        descriptor: Int32,
        events: Events,
        _ body: @escaping @Loop (Events) -> Void
    ) throws(LoopError) {
        let handle = unsafe UVHandle.allocate(uv_poll_t.self)
        let code = unsafe uv_poll_init(Loop.shared.executor.loop, handle, descriptor)
        guard code == 0 else {
            unsafe handle.deallocate()
            throw LoopError(uv: code, call: "poll")
        }
        self.events = events
        self.body = body
        unsafe self.handle = handle
        unsafe handle.pointee.data = Unmanaged.passUnretained(self).toOpaque()
        start()
    }

    isolated deinit {
        cancel()
    }

    /// Waits for these events from now on; free of charge if they are the same as before.
    package func update(events: Events) {
        guard events != self.events else { return }
        self.events = events
        start()
    }

    /// Ends the watch; the body is not called after this.
    package func cancel() {
        guard let handle = unsafe handle else { return }
        unsafe self.handle = nil
        body = nil
        unsafe uv_poll_stop(handle)
        unsafe UVHandle.discard(handle)
    }

    private func start() {
        guard let handle = unsafe handle else { return }
        // Fails only for a handle that is closing (libuv 1.44, uv_poll_start).
        unsafe uv_poll_start(handle, Int32(events.rawValue), descriptorIsReady)
    }

    fileprivate func ready(_ happened: Events) {
        body?(happened)
    }

    fileprivate func failed() {
        body?([.readable, .writable])
        // libuv has stopped the handle.
        start()
    }
}

private func descriptorIsReady(_ handle: UnsafeMutablePointer<uv_poll_t>?, _ status: Int32, _ events: Int32) {
    guard let data = unsafe handle?.pointee.data else { return }
    let watch = unsafe Unmanaged<DescriptorWatch>.fromOpaque(data).takeUnretainedValue()
    // The bits of the option set are libuv's UV_READABLE and UV_WRITABLE.
    let happened = DescriptorWatch.Events(rawValue: UInt8(truncatingIfNeeded: events & 3))
    Loop.assumeIsolated { status < 0 ? watch.failed() : watch.ready(happened) }
}
