internal import CCurl
import EventLoop

/// A request on its way: owns libcurl's handle, and gathers the answer.
@Loop
@safe final class HTTPTransfer {
    private static let headLimit = 64 * 1024

    /// Freed with this object, which must be out of the multi handle by then.
    let easy: UnsafeMutableRawPointer
    /// The handle as a number, which it is known by.
    var id: UInt { unsafe UInt(bitPattern: easy) }
    let call: HTTPCall
    private let library: CurlLibrary
    private let limit: Int
    private let deadline: Duration
    private var headers: UnsafeMutablePointer<curl_slist>?
    /// Where libcurl writes what went wrong.
    private let words: UnsafeMutablePointer<CChar>
    private var response = HTTPClient.Response(status: 0)
    private var headBytes = 0
    private var isTooLarge = false

    /// Prepares a request that has passed ``RequestRules``; nil where libcurl has no memory.
    init?(_ request: HTTPClient.Request, _ options: HTTPClient.Options, _ call: HTTPCall, _ library: CurlLibrary) {
        guard let easy = unsafe lintel_curl_easy_init(library.table) else { return nil }
        self.library = library
        unsafe self.easy = easy
        unsafe words = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        self.call = call
        limit = request.maxResponse
        deadline = request.deadline
        setRules(options)
        set(request)
    }

    isolated deinit {
        unsafe lintel_curl_easy_cleanup(library.table, easy)
        unsafe lintel_curl_free(library.table, headers)
        unsafe words.deallocate()
    }

    private func set(_ option: CURLoption, _ value: Int) {
        unsafe lintel_curl_set_long(library.table, easy, option, value)
    }
    private func set(_ option: CURLoption, _ value: String) {
        unsafe lintel_curl_set_text(library.table, easy, option, value)
    }

    /// What holds for every request.
    private func setRules(_ options: HTTPClient.Options) {
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_PROXY, "")
        set(CURLOPT_NOSIGNAL, 1)
        // Else the end of a request would wait for the name's lookup.
        set(CURLOPT_QUICK_EXIT, 1)
        set(CURLOPT_PATH_AS_IS, 1)
        set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
        set(CURLOPT_SSL_VERIFYPEER, 1)
        set(CURLOPT_SSL_VERIFYHOST, 2)
        set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
        set(CURLOPT_USERAGENT, options.userAgent)
        if let caFile = options.caFile {
            set(CURLOPT_CAINFO, caFile)
            // The system's folder would be trusted, too.
            unsafe lintel_curl_set_text(library.table, easy, CURLOPT_CAPATH, nil)
        }
        unsafe lintel_curl_set_bytes(library.table, easy, CURLOPT_ERRORBUFFER, words)
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe lintel_curl_on_body(library.table, easy, bodyArrived, context)
        unsafe lintel_curl_on_header(library.table, easy, headerArrived, context)
    }

    private func set(_ request: HTTPClient.Request) {
        set(CURLOPT_URL, request.url)
        set(CURLOPT_TIMEOUT_MS, max(1, Int(request.deadline.milliseconds.rounded(.up))))
        unsafe lintel_curl_set_size(library.table, easy, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(request.maxResponse))
        if request.method == "HEAD" {
            set(CURLOPT_NOBODY, 1)
        } else if !request.body.isEmpty || ["POST", "PUT", "PATCH"].contains(request.method) {
            set(CURLOPT_POST, 1)
            unsafe lintel_curl_set_size(
                library.table,
                easy,
                CURLOPT_POSTFIELDSIZE_LARGE,
                curl_off_t(request.body.count)
            )
            unsafe request.body.withUnsafeBytes { bytes in
                // Copied by libcurl, which takes nil for "no copy".
                unsafe lintel_curl_set_bytes(
                    library.table,
                    easy,
                    CURLOPT_COPYPOSTFIELDS,
                    bytes.baseAddress ?? UnsafeRawPointer(easy)
                )
            }
            set(CURLOPT_CUSTOMREQUEST, request.method)
        } else if request.method != "GET" {
            set(CURLOPT_CUSTOMREQUEST, request.method)
        }
        var lines = request.headers.map(RequestRules.line)
        let names = Set(request.headers.map { $0.name.lowercased() })
        // Neither is added unasked: a body of a type that it is not, and a question before the body.
        for name in ["Content-Type", "Expect"] where !names.contains(name.lowercased()) { lines.append("\(name):") }
        for line in lines {
            guard let longer = unsafe lintel_curl_append(library.table, headers, line) else { continue }
            unsafe headers = longer
        }
        unsafe lintel_curl_set_headers(library.table, easy, headers)
    }

    // MARK: The answer

    /// Takes a part of the body.
    ///
    /// - Returns: whether to go on.
    fileprivate func receive(body: [UInt8]) -> Bool {
        guard response.body.count + body.count <= limit else {
            isTooLarge = true
            return false
        }
        response.body += body
        return true
    }

    /// Takes a line of the head; a status line begins a new one, since `100 Continue` may stand before the answer.
    fileprivate func receive(header line: [UInt8]) -> Bool {
        headBytes += line.count
        guard headBytes <= Self.headLimit else {
            isTooLarge = true
            return false
        }
        let text = String(decoding: line, as: UTF8.self).filter { $0 != "\r\n" && $0 != "\r" && $0 != "\n" }
        if text.hasPrefix("HTTP/") {
            let words = text.split(separator: " ")
            response = HTTPClient.Response(status: words.count > 1 ? Int(words[1]) ?? 0 : 0)
        } else if let colon = text.firstIndex(of: ":") {
            let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            response.headers.append(HTTPClient.Header(String(text[..<colon]), String(value)))
        }
        return true
    }

    /// What has become of the request.
    func result(_ code: CURLcode) -> Result<HTTPClient.Response, HTTPError> {
        if code == CURLE_OK { return .success(response) }
        if isTooLarge { return .failure(.tooLarge(limit: limit)) }
        let written = unsafe String(cString: words)
        let text = unsafe written.isEmpty ? String(cString: lintel_curl_easy_strerror(library.table, code)) : written
        return .failure(failure(code, text))
    }

    private func failure(_ code: CURLcode, _ text: String) -> HTTPError {
        switch code {
        case CURLE_URL_MALFORMAT: .invalidRequest(text)
        case CURLE_COULDNT_RESOLVE_HOST: .nameNotFound(text)
        case CURLE_COULDNT_CONNECT: .unreachable(text)
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CONNECT_ERROR,
            CURLE_SSL_CERTPROBLEM, CURLE_SSL_INVALIDCERTSTATUS:
            .untrusted(text)
        case CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING: .broken(text)
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING: .notHTTP(text)
        case CURLE_FILESIZE_EXCEEDED: .tooLarge(limit: limit)
        case CURLE_OPERATION_TIMEDOUT: .timedOut(after: deadline)
        default: .library(code: Int32(code.rawValue), message: text)
        }
    }
}

// MARK: Callbacks, all on the loop's thread

/// Hands a part of an answer to its transfer.
///
/// - Returns: how much was taken; another number than the one given makes libcurl stop.
private func hand(
    _ data: UnsafeMutablePointer<CChar>?,
    _ count: Int,
    _ context: UnsafeMutableRawPointer?,
    _ take: @Loop (HTTPTransfer, [UInt8]) -> Bool
) -> Int {
    guard let context = unsafe context else { return 0 }
    let transfer = unsafe Unmanaged<HTTPTransfer>.fromOpaque(context).takeUnretainedValue()
    let part = unsafe [UInt8](UnsafeRawBufferPointer(start: data, count: count))
    return Loop.assumeIsolated { take(transfer, part) } ? count : -1
}

private func bodyArrived(
    _ data: UnsafeMutablePointer<CChar>?,
    _ size: Int,
    _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    unsafe hand(data, size * count, context) { $0.receive(body: $1) }
}

private func headerArrived(
    _ data: UnsafeMutablePointer<CChar>?,
    _ size: Int,
    _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    unsafe hand(data, size * count, context) { $0.receive(header: $1) }
}
