import CUV
import Glibc

/// Finds the addresses of hosts by the system's means, on libuv's threads.
@Loop
package enum Resolver {
    /// The addresses of a host, in the order of preference (RFC 6724), without duplicates and never empty.
    ///
    /// Numeric addresses are answered at once. The task's cancellation ends the wait.
    ///
    /// - Throws: ``LoopError/notFound(_:)`` for a host without address, ``LoopError/timedOut(after:)``.
    package static func resolve(_ host: String, port: UInt16, deadline: Duration) async throws(LoopError)
        -> [SocketAddress]
    {
        if let address = SocketAddress(ip: host, port: port) { return [address] }
        return try await ConnectAttempt.run { attempt, completion in
            Lookup.begin(attempt, host: host, port: port, deadline, completion)
        }
    }
}

/// One question to the system; holds itself until libuv has called back, which may be long after the deadline.
@Loop
@safe private final class Lookup {
    private let attempt: ConnectAttempt
    private let host: String
    private let port: UInt16
    private let completion: @Loop (Result<[SocketAddress], LoopError>) -> Void
    private let request = unsafe UVHandle.allocate(uv_getaddrinfo_t.self)

    private init(
        _ attempt: ConnectAttempt,
        _ host: String,
        _ port: UInt16,
        _ completion: @escaping @Loop (Result<[SocketAddress], LoopError>) -> Void
    ) {
        self.attempt = attempt
        self.host = host
        self.port = port
        self.completion = completion
    }

    isolated deinit { unsafe request.deallocate() }

    static func begin(
        _ attempt: ConnectAttempt,
        host: String,
        port: UInt16,
        _ deadline: Duration,
        _ completion: @escaping @Loop (Result<[SocketAddress], LoopError>) -> Void
    ) {
        let lookup = Lookup(attempt, host, port, completion)
        attempt.begin(
            deadline: deadline,
            abandon: { lookup.withdraw() },
            timedOut: {
                lookup.withdraw()
                lookup.finish(.failure(.timedOut(after: deadline)))
            }
        )
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe lookup.request.pointee.data = Unmanaged.passRetained(lookup).toOpaque()
        let code = unsafe uv_getaddrinfo(Loop.shared.executor.loop, lookup.request, lookupDidEnd, host, nil, &hints)
        guard code < 0 else { return }
        unsafe Unmanaged.passUnretained(lookup).release()
        Loop.nextTick { lookup.finish(.failure(lookup.error(code))) }
    }

    /// Takes the question back if no thread has begun with it; otherwise its answer is ignored.
    private func withdraw() {
        unsafe request.withMemoryRebound(to: uv_req_t.self, capacity: 1) { _ = unsafe uv_cancel($0) }
    }

    fileprivate func didEnd(_ status: Int32, _ addresses: [SocketAddress]) {
        finish(status == 0 && !addresses.isEmpty ? .success(addresses) : .failure(error(status)))
    }

    private func finish(_ result: Result<[SocketAddress], LoopError>) {
        if attempt.end() { completion(result) }
    }

    private func error(_ code: Int32) -> LoopError {
        switch uv_errno_t(rawValue: code) {
        case UV_EAI_NONAME, UV_EAI_NODATA, uv_errno_t(rawValue: 0): .notFound(host)
        case UV_EAI_CANCELED: .cancelled
        default: LoopError(uv: code, call: "getaddrinfo")
        }
    }

    /// Copies libuv's list for `port`.
    fileprivate static nonisolated func copy(_ list: UnsafeMutablePointer<addrinfo>?, port: UInt16) -> [SocketAddress] {
        var addresses: [SocketAddress] = []
        var next = unsafe list
        while let entry = unsafe next {
            if let address = unsafe SocketAddress(entry.pointee.ai_addr)?.with(port: port), !addresses.contains(address)
            {
                addresses.append(address)
            }
            unsafe next = entry.pointee.ai_next
        }
        return addresses
    }

    fileprivate nonisolated var wantedPort: UInt16 { port }
}

private func lookupDidEnd(
    _ request: UnsafeMutablePointer<uv_getaddrinfo_t>?,
    _ status: Int32,
    _ list: UnsafeMutablePointer<addrinfo>?
) {
    guard let data = unsafe request?.pointee.data else { return }
    let lookup = unsafe Unmanaged<Lookup>.fromOpaque(data).takeRetainedValue()
    let addresses = unsafe Lookup.copy(list, port: lookup.wantedPort)
    unsafe uv_freeaddrinfo(list)
    Loop.assumeIsolated { lookup.didEnd(status, addresses) }
}
