/// Why there is no answer.
package enum HTTPError: Error, Equatable, Sendable {
    /// The request cannot be sent as it is: a URL of another kind, or a header that would break out of its line.
    case invalidRequest(String)
    /// No host of this name.
    case nameNotFound(String)
    /// Nobody listens, or there is no way there.
    case unreachable(String)
    /// The server's certificate is not trusted, has expired, or is another host's.
    case untrusted(String)
    /// The connection broke before the answer was whole.
    case broken(String)
    /// What came back is no HTTP.
    case notHTTP(String)
    /// The answer is larger than asked for.
    case tooLarge(limit: Int)
    case timedOut(after: Duration)
    case cancelled
    /// The client was closed.
    case closed
    /// Anything else: a code of libcurl, and its words.
    case library(code: Int32, message: String)
}
