internal import CCurl
package import EventLoop

/// Asks HTTP servers, on the loop.
///
/// HTTP/1.1 over libcurl's multi interface: no thread of its own but for looking names up. Connections are kept and used
/// again. Certificates are verified, redirects are not followed, proxies of the environment, cookies and `.netrc` are not
/// used, compressed answers are not asked for. Without libcurl every request fails with ``HTTPError/library(code:message:)``.
///
/// Why libcurl: TLS with verification, host names, happy eyeballs, connection reuse and chunked bodies, where
/// FoundationNetworking would bring threads and 12 MiB more.
@Loop
@safe package final class HTTPClient {
    /// Connections to all hosts together.
    private static let connectionLimit = 64
    /// Connections that are kept while nobody uses them.
    private static let idleLimit = 4

    package nonisolated let options: Options
    private let library = CurlLibrary.shared
    /// nil after ``close()``.
    private var multi: UnsafeMutableRawPointer?
    private var timer: LoopTimer?
    private var watches: [Int32: DescriptorWatch] = [:]
    /// By ``HTTPTransfer/id``.
    private var transfers: [UInt: HTTPTransfer] = [:]

    /// Prepares a client; nothing is connected yet.
    package init(_ options: Options = Options()) {
        self.options = options
        guard let curl = unsafe library?.table, let multi = unsafe lintel_curl_multi_init(curl) else { return }
        unsafe self.multi = multi
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe lintel_curl_on_socket(curl, multi, socketChanged, context)
        unsafe lintel_curl_on_timer(curl, multi, timerChanged, context)
        unsafe lintel_curl_multi_set_long(curl, multi, CURLMOPT_MAX_HOST_CONNECTIONS, options.connectionsPerHost)
        unsafe lintel_curl_multi_set_long(curl, multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, Self.connectionLimit)
        unsafe lintel_curl_multi_set_long(curl, multi, CURLMOPT_MAXCONNECTS, Self.idleLimit)
    }

    isolated deinit {
        close()
    }

    /// Requests that have no answer yet.
    package var requestCount: Int { transfers.count }
    /// Sockets that are waited for.
    package var watchedSockets: Int { watches.count }

    /// Asks, and waits for the whole answer.
    ///
    /// - Throws: ``HTTPError``; ``HTTPError/cancelled`` as soon as the task is cancelled, and then the connection is closed.
    package func send(_ request: Request) async throws(HTTPError) -> Response {
        try RequestRules.check(request)
        let call = HTTPCall()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                call.begin(continuation)
                if call.isPending { start(request, call) }
            }
        } onCancel: {
            Loop.post { [weak self] in self?.cancel(call) }
        }
        return try result.get()
    }

    /// Ends all requests with ``HTTPError/closed`` and closes all connections; the client is of no use after it.
    package func close() {
        guard let curl = unsafe library?.table, let multi = unsafe multi else { return }
        for id in [UInt](transfers.keys) { end(id, .failure(.closed)) }
        unsafe lintel_curl_multi_cleanup(curl, multi)
        unsafe self.multi = nil
        timer = nil
        watches = [:]
    }

    // MARK: Requests

    private func start(_ request: Request, _ call: HTTPCall) {
        guard let library else {
            return call.end(.failure(.library(code: 0, message: "libcurl.so.4 is not installed")))
        }
        guard let multi = unsafe multi else { return call.end(.failure(.closed)) }
        guard let transfer = HTTPTransfer(request, options, call, library) else {
            return call.end(.failure(.library(code: 0, message: "libcurl gives no handle")))
        }
        call.transfer = transfer.id
        transfers[transfer.id] = transfer
        let code = unsafe lintel_curl_multi_add(library.table, multi, transfer.easy)
        guard code != CURLM_OK else { return }
        transfers[transfer.id] = nil
        let words = unsafe String(cString: lintel_curl_multi_strerror(library.table, code))
        call.end(.failure(.library(code: Int32(code.rawValue), message: words)))
    }

    private func cancel(_ call: HTTPCall) {
        if let id = call.transfer, transfers[id]?.call === call {
            end(id, .failure(.cancelled))
        } else {
            call.end(.failure(.cancelled))
        }
    }

    private func end(_ id: UInt, _ result: Result<Response, HTTPError>) {
        guard let transfer = transfers.removeValue(forKey: id) else { return }
        if let curl = unsafe library?.table, let multi = unsafe multi {
            unsafe lintel_curl_multi_remove(curl, multi, transfer.easy)
        }
        transfer.call.end(result)
    }

    // MARK: libcurl and the loop

    /// Lets libcurl go on after something has happened, then collects what is finished.
    private func act(_ socket: Int32, _ events: Int32) {
        guard let curl = unsafe library?.table, let multi = unsafe multi else { return }
        unsafe lintel_curl_multi_act(curl, multi, socket, events)
        var code = CURLE_OK
        while let easy = unsafe lintel_curl_multi_next(curl, multi, &code) {
            let id = UInt(bitPattern: easy)
            if let result = transfers[id]?.result(code) { end(id, result) }
        }
    }

    fileprivate func watch(_ socket: Int32, _ what: Int32) {
        guard what != CURL_POLL_REMOVE else {
            watches.removeValue(forKey: socket)?.cancel()
            return
        }
        var events: DescriptorWatch.Events = []
        if what & CURL_POLL_IN != 0 { events.insert(.readable) }
        if what & CURL_POLL_OUT != 0 { events.insert(.writable) }
        if let watch = watches[socket] { return watch.update(events: events) }
        // Without a watch the request ends by its deadline.
        watches[socket] = try? DescriptorWatch(descriptor: socket, events: events) { [weak self] happened in
            var bits: Int32 = 0
            if happened.contains(.readable) { bits |= CURL_CSELECT_IN }
            if happened.contains(.writable) { bits |= CURL_CSELECT_OUT }
            self?.act(socket, bits)
        }
    }

    fileprivate func wake(after milliseconds: Int) {
        guard milliseconds >= 0 else {
            timer = nil
            return
        }
        timer = LoopTimer(after: .milliseconds(milliseconds)) { [weak self] in self?.act(CURL_SOCKET_BAD, 0) }
    }
}

// MARK: Callbacks, all on the loop's thread

private func socketChanged(
    _: UnsafeMutableRawPointer?,
    _ socket: curl_socket_t,
    _ what: Int32,
    _ context: UnsafeMutableRawPointer?,
    _: UnsafeMutableRawPointer?
) -> Int32 {
    guard let context = unsafe context else { return 0 }
    let client = unsafe Unmanaged<HTTPClient>.fromOpaque(context).takeUnretainedValue()
    Loop.assumeIsolated { client.watch(socket, what) }
    return 0
}

private func timerChanged(_: UnsafeMutableRawPointer?, _ milliseconds: Int, _ context: UnsafeMutableRawPointer?)
    -> Int32
{
    guard let context = unsafe context else { return 0 }
    let client = unsafe Unmanaged<HTTPClient>.fromOpaque(context).takeUnretainedValue()
    Loop.assumeIsolated { client.wake(after: milliseconds) }
    return 0
}
