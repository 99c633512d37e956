import CUV
import Glibc

/// A UDP socket; dropping the last reference closes it.
@Loop
@safe package final class UDPSocket {
    /// The most bytes that may wait to be sent.
    private static let sendLimit = 1 << 20

    private var handle: UnsafeMutablePointer<uv_udp_t>?
    /// Where the socket is bound, with the port that the system chose if port 0 was asked for.
    package let address: SocketAddress

    /// Gets each datagram, which may be empty, and its sender; receiving starts when this is set.
    ///
    /// Errors of single datagrams, such as a port that was unreachable, are not reported: UDP promises nothing.
    package var onDatagram: (@Loop ([UInt8], SocketAddress) -> Void)? {
        didSet {
            guard let handle = unsafe handle, (onDatagram == nil) != (oldValue == nil) else { return }
            if onDatagram == nil {
                unsafe uv_udp_recv_stop(handle)
            } else {
                unsafe uv_udp_recv_start(handle, offerDatagramBuffer, datagramDidArrive)
            }
        }
    }

    /// Binds a socket.
    ///
    /// - Parameters:
    ///   - bind: the local address; port 0 lets the system choose.
    ///   - reuseAddress: whether other sockets may share the address; each gets every broadcast and multicast (`SO_REUSEADDR`).
    ///   - reusePort: whether sockets of this user share the address and divide unicast between them (`SO_REUSEPORT`).
    ///   - broadcast: whether the socket may send to broadcast addresses.
    ///   - interface: the only interface to send and receive on; also that of the multicast groups.
    ///   - multicastGroups: numeric addresses of the groups to join.
    package init(
        bind address: SocketAddress,
        reuseAddress: Bool = false,
        reusePort: Bool = false,
        broadcast: Bool = false,
        interface: String? = nil,
        multicastGroups: [String] = []
    ) throws(LoopError) {
        let handle = unsafe UVHandle.allocate(uv_udp_t.self)
        let flags = SocketOption.family(of: address) | UInt32(UV_UDP_RECVMMSG.rawValue)
        let code = unsafe uv_udp_init_ex(Loop.shared.executor.loop, handle, flags)
        guard code == 0 else {
            unsafe handle.deallocate()
            throw LoopError(uv: code, call: "socket")
        }
        do throws(LoopError) {
            let descriptor = try unsafe UVHandle.descriptor(handle)
            if reusePort { try SocketOption.set(descriptor, SOL_SOCKET, SO_REUSEPORT, 1) }
            if let interface { try SocketOption.bind(descriptor, toInterface: interface) }
            let options = reuseAddress ? UInt32(UV_UDP_REUSEADDR.rawValue) : 0
            try LoopError.check(unsafe address.withRaw { unsafe uv_udp_bind(handle, $0, options) }, "bind")
            if broadcast { try LoopError.check(unsafe uv_udp_set_broadcast(handle, 1), "broadcast") }
            let via = try interface.map { name throws(LoopError) in try Self.multicastInterface(name, address) }
            if let via { try LoopError.check(unsafe uv_udp_set_multicast_interface(handle, via), "multicast") }
            for group in multicastGroups {
                try LoopError.check(unsafe uv_udp_set_membership(handle, group, via, UV_JOIN_GROUP), "join \(group)")
            }
        } catch {
            unsafe UVHandle.discard(handle)
            throw error
        }
        self.address = unsafe SocketAddress.read { unsafe uv_udp_getsockname(handle, $0, $1) } ?? address
        unsafe self.handle = handle
        unsafe handle.pointee.data = Unmanaged.passUnretained(self).toOpaque()
    }

    isolated deinit {
        close()
    }

    /// Sends one datagram, at once where the system has room.
    ///
    /// - Throws: what the system says at once, such as ``LoopError/unreachable``; ``LoopError/overflow(queued:)`` where
    ///   a mebibyte waits already. Success does not mean arrival.
    package func send(_ bytes: [UInt8], to address: SocketAddress) throws(LoopError) {
        guard let handle = unsafe handle else { throw .closed }
        let code = unsafe bytes.withUnsafeBytes { raw in
            var buffer = unsafe Self.buffer(raw)
            return unsafe address.withRaw { unsafe uv_udp_try_send(handle, &buffer, 1, $0) }
        }
        guard code < 0 else { return }
        guard code == UV_EAGAIN.rawValue else { throw LoopError(uv: code, call: "sendto") }
        try unsafe queue(bytes, to: address, on: handle)
    }

    /// Closes the socket.
    package func close() {
        guard let handle = unsafe handle else { return }
        unsafe self.handle = nil
        onDatagram = nil
        unsafe UVHandle.discard(handle)
    }

    private func queue(
        _ bytes: [UInt8],
        to address: SocketAddress,
        on handle: UnsafeMutablePointer<uv_udp_t>
    ) throws(LoopError) {
        let queued = unsafe uv_udp_get_send_queue_size(handle)
        guard queued + bytes.count <= Self.sendLimit else { throw .overflow(queued: queued) }
        // One block of memory holds the request and, behind it, its bytes.
        let head = unsafe MemoryLayout<uv_udp_send_t>.stride
        let block = UnsafeMutableRawPointer.allocate(byteCount: head + bytes.count, alignment: 16)
        let request = unsafe block.bindMemory(to: uv_udp_send_t.self, capacity: 1)
        unsafe UnsafeMutableRawBufferPointer(start: block + head, count: bytes.count).copyBytes(from: bytes)
        var buffer = unsafe Self.buffer(UnsafeRawBufferPointer(start: block + head, count: bytes.count))
        let code = unsafe address.withRaw {
            unsafe uv_udp_send(request, handle, &buffer, 1, $0) { request, _ in unsafe request?.deallocate() }
        }
        guard code < 0 else { return }
        unsafe block.deallocate()
        throw LoopError(uv: code, call: "sendto")
    }

    fileprivate func deliver(_ bytes: [UInt8], from sender: SocketAddress) {
        onDatagram?(bytes, sender)
    }

    /// libuv only reads from the buffer; its type has no const.
    private static func buffer(_ raw: UnsafeRawBufferPointer) -> uv_buf_t {
        let base = unsafe UnsafeMutableRawPointer(mutating: raw.baseAddress)?.assumingMemoryBound(to: CChar.self)
        return unsafe uv_buf_init(base, UInt32(truncatingIfNeeded: raw.count))
    }

    /// How libuv wants an interface to be named: by an address of its own, or for IPv6 by its zone.
    private static func multicastInterface(_ name: String, _ address: SocketAddress) throws(LoopError) -> String {
        if address.isIPv6 { return "::%\(name)" }
        guard let interface = try NetworkInterface.all().first(where: { $0.name == name }) else {
            throw .notFound(name)
        }
        return SocketAddress(ipv4: interface.ipv4, port: 0).ip
    }
}

/// Offers the loop's buffer for datagrams: libuv fills 64 KiB pieces of it, many in one system call, and calls back for
/// each before it receives again.
private func offerDatagramBuffer(
    _: UnsafeMutablePointer<uv_handle_t>?,
    _: Int,
    _ buffer: UnsafeMutablePointer<uv_buf_t>?
) {
    unsafe buffer?.pointee = Loop.shared.executor.datagramBuffer
}

private func datagramDidArrive(
    _ handle: UnsafeMutablePointer<uv_udp_t>?,
    _ count: Int,
    _ buffer: UnsafePointer<uv_buf_t>?,
    _ sender: UnsafePointer<sockaddr>?,
    _: UInt32
) {
    // Without a sender this is an error or libuv's word that the buffer is free again.
    guard count >= 0, let data = unsafe handle?.pointee.data, let sender = unsafe SocketAddress(sender) else { return }
    let socket = unsafe Unmanaged<UDPSocket>.fromOpaque(data).takeUnretainedValue()
    let bytes = unsafe [UInt8](UnsafeRawBufferPointer(start: buffer?.pointee.base, count: count))
    Loop.assumeIsolated { socket.deliver(bytes, from: sender) }
}
