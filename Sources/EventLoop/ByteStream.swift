import CUV

/// What TCP connections and pipes have in common: a stream of bytes each way on the loop.
///
/// Whoever holds the object owns the stream: dropping the last reference closes it, without a word to ``onClose``.
/// Closures may hold the object that they are set on; they are released when the stream closes. Every closure is called
/// on the loop, never from inside a call to this class.
@Loop
@safe package class ByteStream {
    /// The most bytes that are gathered before they are sent without waiting for the end of the turn.
    private static let gatherLimit = 64 * 1024

    /// nil from the moment at which closing begins.
    ///
    /// Its `data` is this object: not retained while open, since the deinit closes the handle; retained from `close`
    /// to libuv's callback.
    private var handle: UnsafeMutablePointer<uv_stream_t>?
    private var closeReason: LoopError?
    private var gathered: [UInt8] = []
    private var isReading = false
    private var isPaused = false
    private var isFinished = false

    /// Gets what arrives, in pieces as the system hands them out, never empty; reading starts when this is set.
    package var onBytes: (@Loop ([UInt8]) -> Void)? {
        didSet { updateReading() }
    }
    /// Called when the peer ends its direction.
    ///
    /// Where this is set, the stream stays open for writing until `close`; otherwise the end of the peer's bytes
    /// closes it.
    package var onEnd: (@Loop () -> Void)?
    /// Called once, after the stream has closed: with nil after a clean end or our own `close`, else with what broke it.
    package var onClose: (@Loop (LoopError?) -> Void)?
    /// Called when the queue has become empty after it had not been.
    package var onDrain: (@Loop () -> Void)?
    /// The number of queued bytes over which the stream is closed with ``LoopError/overflow(queued:)``.
    package var writeLimit = 4 << 20

    /// Takes over an open handle, which may be of any type that libuv counts as a stream.
    init(adopting handle: UnsafeMutablePointer<uv_stream_t>) {
        unsafe self.handle = handle
        unsafe handle.pointee.data = Unmanaged.passUnretained(self).toOpaque()
    }

    isolated deinit {
        if let handle = unsafe handle { unsafe UVHandle.discard(handle) }
    }

    /// Whether the stream is open for at least one direction.
    package var isOpen: Bool { unsafe handle != nil }

    /// The bytes that were written and that the system has not taken yet.
    package var queuedBytes: Int {
        guard let handle = unsafe handle else { return 0 }
        return unsafe gathered.count + uv_stream_get_write_queue_size(handle)
    }

    // MARK: Reading

    /// Stops reading; what arrives waits in the system, whose buffer then holds the peer back.
    package func pauseReading() {
        isPaused = true
        updateReading()
    }

    /// Reads again after ``pauseReading()``.
    package func resumeReading() {
        isPaused = false
        updateReading()
    }

    private func updateReading() {
        guard let handle = unsafe handle else { return }
        let wanted = onBytes != nil && !isPaused
        guard wanted != isReading else { return }
        isReading = wanted
        if wanted {
            let code = unsafe uv_read_start(handle, offerReadBuffer, streamDidRead)
            if code < 0 { close(because: LoopError(uv: code, call: "read")) }
        } else {
            unsafe uv_read_stop(handle)
        }
    }

    fileprivate func deliver(_ bytes: [UInt8]) {
        onBytes?(bytes)
    }

    fileprivate func readingEnded(_ code: Int32) {
        guard code == UV_EOF.rawValue else { return close(because: LoopError(uv: code, call: "read")) }
        isPaused = true
        updateReading()
        guard let onEnd else { return close(because: nil) }
        onEnd()
    }

    // MARK: Writing

    /// Sends bytes, in the order of the calls whatever their modes; what the system does not take at once is queued.
    ///
    /// Ignored on a stream that is closed or finished: ``onClose`` has told, or will.
    package func write(_ bytes: [UInt8], _ mode: WriteMode = .immediate) {
        guard unsafe handle != nil, !isFinished, !bytes.isEmpty else { return }
        switch mode {
        case .immediate where gathered.isEmpty:
            send(bytes)
        case .immediate:
            gathered.append(contentsOf: bytes)
            sendGathered()
        case .coalesced:
            if gathered.isEmpty { GatheredWrites.add(self) }
            gathered.append(contentsOf: bytes)
            if gathered.count > Self.gatherLimit { sendGathered() }
        }
    }

    /// Sends what is queued, then tells the peer that no more will come; the other direction stays open.
    package func finish() {
        sendGathered()
        guard let handle = unsafe handle, !isFinished else { return }
        isFinished = true
        let request = unsafe UVHandle.allocate(uv_shutdown_t.self)
        let code = unsafe uv_shutdown(request, handle) { request, _ in unsafe request?.deallocate() }
        guard code < 0 else { return }
        unsafe request.deallocate()
        close(because: LoopError(uv: code, call: "shutdown"))
    }

    /// Sends what this turn of the loop has gathered, in one system call.
    func sendGathered() {
        guard !gathered.isEmpty else { return }
        // Taken out for the call, so that the array is not copied on the next append, then put back for its memory.
        var bytes = gathered
        gathered = []
        send(bytes)
        guard unsafe handle != nil, bytes.capacity <= 2 * Self.gatherLimit else { return }
        bytes.removeAll(keepingCapacity: true)
        gathered = bytes
    }

    private func send(_ bytes: [UInt8]) {
        guard let handle = unsafe handle else { return }
        let failure = unsafe bytes.withUnsafeBytes { unsafe send($0, on: handle) }
        if let failure { return close(because: failure) }
        let queued = unsafe uv_stream_get_write_queue_size(handle)
        if queued > writeLimit { close(because: .overflow(queued: queued)) }
    }

    private func send(_ bytes: UnsafeRawBufferPointer, on handle: UnsafeMutablePointer<uv_stream_t>) -> LoopError? {
        // libuv counts a buffer in 32 bits.
        guard bytes.count <= Int(Int32.max) else { return .overflow(queued: bytes.count) }
        var sent = 0
        if unsafe uv_stream_get_write_queue_size(handle) == 0 {
            // libuv only reads from the buffer; its type has no const.
            let base = unsafe UnsafeMutableRawPointer(mutating: bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
            var buffer = unsafe uv_buf_init(base, UInt32(truncatingIfNeeded: bytes.count))
            let code = unsafe uv_try_write(handle, &buffer, 1)
            guard code >= 0 || code == UV_EAGAIN.rawValue else { return LoopError(uv: code, call: "write") }
            sent = max(0, Int(code))
        }
        guard sent < bytes.count else { return nil }
        return unsafe queue(UnsafeRawBufferPointer(rebasing: bytes[sent...]), on: handle)
    }

    /// Leaves bytes with libuv, which sends them when the system has room.
    private func queue(_ bytes: UnsafeRawBufferPointer, on handle: UnsafeMutablePointer<uv_stream_t>) -> LoopError? {
        // One block of memory holds the request and, behind it, its bytes.
        let head = unsafe MemoryLayout<uv_write_t>.stride
        let block = UnsafeMutableRawPointer.allocate(byteCount: head + bytes.count, alignment: 16)
        let request = unsafe block.bindMemory(to: uv_write_t.self, capacity: 1)
        let copy = unsafe block.advanced(by: head)
        unsafe copy.copyMemory(from: bytes.baseAddress ?? UnsafeRawPointer(copy), byteCount: bytes.count)
        var buffer = unsafe uv_buf_init(
            copy.bindMemory(to: CChar.self, capacity: bytes.count),
            UInt32(truncatingIfNeeded: bytes.count)
        )
        let code = unsafe uv_write(request, handle, &buffer, 1, streamDidWrite)
        guard code < 0 else { return nil }
        unsafe block.deallocate()
        return LoopError(uv: code, call: "write")
    }

    fileprivate func didWrite(_ status: Int32) {
        guard let handle = unsafe handle else { return }
        if status < 0 { return close(because: LoopError(uv: status, call: "write")) }
        if unsafe uv_stream_get_write_queue_size(handle) == 0 { onDrain?() }
    }

    // MARK: Closing

    /// Closes the stream at once; what is queued is lost.
    ///
    /// ``finish()`` first sends it.
    package func close() {
        close(because: nil)
    }

    /// Begins to close; libuv's callback frees the handle and reports.
    func close(because reason: LoopError?) {
        guard let handle = unsafe handle else { return }
        unsafe self.handle = nil
        closeReason = reason
        gathered = []
        onBytes = nil
        onEnd = nil
        onDrain = nil
        unsafe handle.pointee.data = Unmanaged.passRetained(self).toOpaque()
        unsafe UnsafeMutableRawPointer(handle).withMemoryRebound(to: uv_handle_t.self, capacity: 1) {
            unsafe uv_close($0, streamDidClose)
        }
    }

    fileprivate func didClose() {
        let report = onClose
        onClose = nil
        report?(closeReason)
    }

    /// Calls `body` with the handle while the stream is open.
    func withHandle<T>(_ body: (UnsafeMutablePointer<uv_stream_t>) -> T) -> T? {
        guard let handle = unsafe handle else { return nil }
        return unsafe body(handle)
    }
}

// MARK: Callbacks, all on the loop's thread

private func stream(of data: UnsafeMutableRawPointer?) -> ByteStream? {
    guard let data = unsafe data else { return nil }
    return unsafe Unmanaged<ByteStream>.fromOpaque(data).takeUnretainedValue()
}

/// Offers the loop's one buffer: libuv reads into it and calls back before it reads for another stream.
private func offerReadBuffer(
    _: UnsafeMutablePointer<uv_handle_t>?,
    _: Int,
    buffer: UnsafeMutablePointer<uv_buf_t>?
) {
    unsafe buffer?.pointee = Loop.shared.executor.readBuffer
}

private func streamDidRead(
    _ handle: UnsafeMutablePointer<uv_stream_t>?,
    _ count: Int,
    _ buffer: UnsafePointer<uv_buf_t>?
) {
    // Zero is libuv's word for "nothing after all".
    guard count != 0, let stream = unsafe stream(of: handle?.pointee.data) else { return }
    guard count > 0, let base = unsafe buffer?.pointee.base else {
        return Loop.assumeIsolated { stream.readingEnded(Int32(truncatingIfNeeded: count)) }
    }
    let bytes = unsafe [UInt8](UnsafeRawBufferPointer(start: base, count: count))
    Loop.assumeIsolated { stream.deliver(bytes) }
}

private func streamDidWrite(_ request: UnsafeMutablePointer<uv_write_t>?, _ status: Int32) {
    let stream = unsafe stream(of: request?.pointee.handle?.pointee.data)
    unsafe UnsafeMutableRawPointer(request)?.deallocate()
    guard let stream else { return }
    Loop.assumeIsolated { stream.didWrite(status) }
}

private func streamDidClose(_ handle: UnsafeMutablePointer<uv_handle_t>?) {
    guard let data = unsafe handle?.pointee.data else { return }
    let stream = unsafe Unmanaged<ByteStream>.fromOpaque(data).takeRetainedValue()
    unsafe freeUVHandle(handle)
    Loop.assumeIsolated { stream.didClose() }
}
