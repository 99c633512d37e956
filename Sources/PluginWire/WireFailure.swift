public import JSON

/// The `error` of an answer: a number, words, and facts.
public struct WireFailure: Error, Equatable, Sendable {
    /// Not JSON at all.
    public static let parseError = -32_700
    /// JSON, but no message, or one that cannot come now.
    public static let invalidRequest = -32_600
    /// A request that the receiver does not know.
    public static let methodNotFound = -32_601
    /// Parameters that are missing or of the wrong type.
    public static let invalidParams = -32_602
    /// The request was cancelled by `$/cancel` before it was answered.
    public static let cancelled = -32_800

    /// One of the above, or the number of an `ErrorCode`.
    public var code: Int
    /// One sentence.
    public var message: String
    /// `{"code"?,"vendorCode"?,"hint"?,"retryAfterMs"?,"details"?,"retryable"}`; may be empty.
    public var data: JSONObject

    /// Describes a failure.
    public init(code: Int, message: String, data: JSONObject = JSONObject()) {
        self.code = code
        self.message = message
        self.data = data
    }

    /// Reads the `error` of an answer, nil where it has no number.
    public init?(_ json: JSON) {
        guard let code = json["code"]?.intValue else { return nil }
        self.init(
            code: code,
            message: json["message"]?.stringValue ?? "",
            data: json["data"]?.objectValue ?? JSONObject()
        )
    }

    /// `{"code","message","data"?}`.
    public var json: JSON {
        var object: JSONObject = ["code": JSON(code), "message": .string(message)]
        if !data.isEmpty { object["data"] = .object(data) }
        return .object(object)
    }

    /// Parameters of a method that are missing or wrong.
    public static func invalid(_ method: String, _ problem: String) -> WireFailure {
        WireFailure(code: invalidParams, message: "\(method): \(problem)")
    }

    /// A request that nobody here answers.
    public static func unknown(_ method: String) -> WireFailure {
        WireFailure(code: methodNotFound, message: "There is no method \"\(method.prefix(64))\".")
    }
}
