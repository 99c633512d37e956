import CUV

/// Memory for libuv handles: made before the handle is initialised, freed when libuv says that it has let go of it.
enum UVHandle {
    static func allocate<Raw>(_ type: Raw.Type) -> UnsafeMutablePointer<Raw> {
        let pointer = UnsafeMutablePointer<Raw>.allocate(capacity: 1)
        // libuv leaves `data` as it finds it.
        unsafe UnsafeMutableRawPointer(pointer).initializeMemory(
            as: UInt8.self,
            repeating: 0,
            count: MemoryLayout<Raw>.size
        )
        return unsafe pointer
    }

    /// Closes a handle that nobody listens to any more and frees it when libuv allows.
    static func discard<Raw>(_ pointer: UnsafeMutablePointer<Raw>) {
        let handle = unsafe UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: uv_handle_t.self)
        unsafe handle.pointee.data = nil
        unsafe uv_close(handle, freeUVHandle)
    }

    /// The descriptor of an open handle.
    static func descriptor<Raw>(_ pointer: UnsafeMutablePointer<Raw>) throws(LoopError) -> Int32 {
        var descriptor: uv_os_fd_t = -1
        let handle = unsafe UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: uv_handle_t.self)
        try LoopError.check(unsafe uv_fileno(handle, &descriptor), "fileno")
        return descriptor
    }
}

/// libuv's last word on a handle.
func freeUVHandle(_ handle: UnsafeMutablePointer<uv_handle_t>?) {
    unsafe UnsafeMutableRawPointer(handle)?.deallocate()
}
