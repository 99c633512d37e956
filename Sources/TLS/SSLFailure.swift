internal import CTLS

/// What OpenSSL noted about a failed call: the oldest entry of this thread's error queue.
struct SSLFailure {
    /// Alerts from the peer are numbered from here.
    private static let alertBase = SSL_AD_REASON_OFFSET

    /// OpenSSL's number, 0 where it noted nothing.
    let reason: Int32
    let words: String

    /// Empties the queue.
    static func take() -> SSLFailure {
        let code = ERR_peek_error()
        ERR_clear_error()
        let words = unsafe ERR_reason_error_string(code).map { unsafe String(cString: $0) }
        return SSLFailure(reason: code == 0 ? 0 : ERR_GET_REASON(code), words: words ?? "error \(code)")
    }

    /// The alert that the peer sent.
    var alert: UInt8? {
        guard reason >= Self.alertBase else { return nil }
        return UInt8(exactly: reason - Self.alertBase)
    }
}
