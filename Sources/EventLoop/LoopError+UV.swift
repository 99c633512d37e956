import CUV
import Glibc

extension LoopError {
    /// Translates a libuv result, which on Unix is a negated `errno` value or one of libuv's own codes.
    init(uv code: Int32, call: String) {
        switch uv_errno_t(rawValue: code) {
        case UV_ECONNREFUSED: self = .refused
        case UV_EHOSTUNREACH, UV_ENETUNREACH, UV_EHOSTDOWN, UV_ENETDOWN: self = .unreachable
        case UV_ECONNRESET, UV_EPIPE, UV_ECONNABORTED: self = .reset
        case UV_ECANCELED: self = .cancelled
        case UV_EADDRINUSE: self = .addressInUse
        case UV_EADDRNOTAVAIL: self = .addressNotAvailable
        case UV_EACCES, UV_EPERM: self = .notPermitted
        case UV_ENOENT: self = .notFound(call)
        default: self = .system(code: -code, call: call)
        }
    }

    /// The present `errno` as an error.
    static func last(_ call: String) -> LoopError { LoopError(uv: -errno, call: call) }

    /// Throws where `code` is a libuv error.
    static func check(_ code: Int32, _ call: String) throws(LoopError) {
        if code < 0 { throw LoopError(uv: code, call: call) }
    }

    /// libuv's words for a result code.
    static func text(_ code: Int32) -> String {
        guard let text = unsafe uv_strerror(code) else { return "error \(code)" }
        return unsafe String(cString: text)
    }
}
