public import HomeModel
import JSON

extension WireFailure {
    /// Puts a command's failure on the wire.
    ///
    /// A code without a number of its own goes as `internal`'s number with its name in `data.code`.
    public init(_ error: CommandError) {
        var data = JSONObject()
        let number = error.code.wireNumber
        if number == nil { data["code"] = .string(error.code.rawValue) }
        if let vendorCode = error.vendorCode { data["vendorCode"] = .string(vendorCode) }
        if let hint = error.hint { data["hint"] = .string(hint) }
        if let delay = error.retryAfterMs { data["retryAfterMs"] = JSON(delay) }
        if !error.details.isEmpty { data["details"] = .object(error.details) }
        data["retryable"] = .bool(error.isRetryable)
        self.init(code: number ?? Self.internalNumber, message: error.message, data: data)
    }

    private static let internalNumber = 1018
}

extension CommandError {
    /// Reads a failure off the wire.
    ///
    /// A method that the peer does not know is `capability_missing`; any other protocol fault, and any number that nobody
    /// has given a meaning, is `internal`.
    public init(_ failure: WireFailure) {
        let data = failure.data
        let named = data["code"]?.stringValue.flatMap(ErrorCode.init(rawValue:))
        self.init(
            named ?? ErrorCode(wireNumber: failure.code) ?? Self.code(of: failure.code),
            failure.message.isEmpty ? "The plugin gave no reason (\(failure.code))." : failure.message,
            hint: data["hint"]?.stringValue,
            vendorCode: Self.text(data["vendorCode"]),
            retryAfterMs: data["retryAfterMs"]?.intValue.map { max(0, $0) },
            details: data["details"]?.objectValue ?? JSONObject()
        )
    }

    private static func code(of number: Int) -> ErrorCode {
        switch number {
        case WireFailure.methodNotFound: .capabilityMissing
        case WireFailure.cancelled: .timeout
        default: .internal
        }
    }

    /// Vendors' codes come as text or as numbers.
    private static func text(_ json: JSON?) -> String? {
        json?.stringValue ?? json?.intValue.map(String.init)
    }
}
