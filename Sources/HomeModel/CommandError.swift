public import JSON

/// Why a request was not carried out, in words for a person and a code for a program.
public struct CommandError: Error, Equatable, Sendable {
    /// What kind of failure it is.
    public var code: ErrorCode
    /// What happened, one sentence.
    public var message: String
    /// What to do about it, where that is known.
    public var hint: String?
    /// The vendor's own number or name for the failure.
    public var vendorCode: String?
    /// How long to wait before trying again, in milliseconds.
    public var retryAfterMs: Int?
    /// Facts for a program, such as the list of known requests; `data` of the answer.
    public var details: JSONObject

    /// Describes a failure.
    public init(
        _ code: ErrorCode,
        _ message: String,
        hint: String? = nil,
        vendorCode: String? = nil,
        retryAfterMs: Int? = nil,
        details: JSONObject = JSONObject()
    ) {
        self.code = code
        self.message = message
        self.hint = hint
        self.vendorCode = vendorCode
        self.retryAfterMs = retryAfterMs
        self.details = details
    }

    /// Whether the same call may succeed later without a person doing anything.
    public var isRetryable: Bool { code.isRetryable || retryAfterMs != nil }
}

extension CommandError {
    /// The `error` object of an answer: `{"code","message","hint"?,"vendor_code"?,"retry_after_ms"?,"retryable"}`.
    public var json: JSON {
        var object: JSONObject = ["code": .string(code.rawValue), "message": .string(message)]
        if let hint { object["hint"] = .string(hint) }
        if let vendorCode { object["vendor_code"] = .string(vendorCode) }
        if let retryAfterMs { object["retry_after_ms"] = .integer(Int64(retryAfterMs)) }
        object["retryable"] = .bool(isRetryable)
        return .object(object)
    }
}
