public import JSON

/// Why a pairing session, or a step of it, failed, and what to do.
public struct PairingFailure: Error, Equatable, Sendable {
    /// What kind of failure it is.
    public var code: PairingCode
    /// What happened, one sentence.
    public var message: String
    /// What to do next, one sentence.
    public var hint: String?
    /// The vendor's own number for it.
    public var vendorCode: String?
    /// The step that failed.
    public var step: String?
    /// The step that a new try may begin at; nil where only a new session helps.
    public var retryFrom: String?

    /// Describes a failure.
    public init(
        _ code: PairingCode,
        _ message: String,
        hint: String? = nil,
        vendorCode: String? = nil,
        step: String? = nil,
        retryFrom: String? = nil
    ) {
        self.code = code
        self.message = message
        self.hint = hint
        self.vendorCode = vendorCode
        self.step = step
        self.retryFrom = retryFrom
    }

    /// The failure that a failed call is.
    public init(_ error: CommandError, step: String? = nil) {
        self.init(
            PairingCode(error.code),
            error.message,
            hint: error.hint,
            vendorCode: error.vendorCode,
            step: step
        )
    }
}

extension PairingFailure {
    /// `{"code","message","hint"?,"vendor_code"?,"step"?,"retry_from"?}`.
    public var json: JSON {
        var object: JSONObject = ["code": .string(code.rawValue), "message": .string(message)]
        if let hint { object["hint"] = .string(hint) }
        if let vendorCode { object["vendor_code"] = .string(vendorCode) }
        if let step { object["step"] = .string(step) }
        if let retryFrom { object["retry_from"] = .string(retryFrom) }
        return .object(object)
    }

    /// Reads the form that ``json`` writes; nil without a code or a message.
    public init?(json: JSON) {
        guard let code = json["code"]?.stringValue, let message = json["message"]?.stringValue else { return nil }
        self.init(
            PairingCode(rawValue: code),
            message,
            hint: json["hint"]?.stringValue,
            vendorCode: json["vendor_code"]?.stringValue,
            step: json["step"]?.stringValue,
            retryFrom: json["retry_from"]?.stringValue
        )
    }
}
