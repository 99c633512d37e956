package import JSON

/// What an answer of the vendor's cloud means.
///
/// Decided by `success`, not by the HTTP status. Source: protocol description, section 9.6.
package enum CloudOutcome: Equatable, Sendable {
    case ok
    case badSignature
    case badCredentials
    /// Get a new access token and repeat the request, once.
    case tokenExpired
    /// As ``tokenExpired``.
    case tokenInvalid
    /// Take the time from the answer and repeat the request, once.
    case clockSkew
    case badRequest
    case permissionDenied
    /// Back off: 1, 2, 4 … 60 s.
    case retryLater
    case deviceOffline
    case unsupportedFunction
    case unknownDevice
    case noSchema
    case wrongDataCentreOrApp
    case subscriptionExpired
    case apiNotSubscribed
    /// Anything else, with what the cloud says.
    case error(code: Int?, message: String)

    /// Reads an answer; `code` may be a number or a string of digits.
    package init(_ reply: JSON) {
        if reply["success"]?.boolValue == true {
            self = .ok
            return
        }
        let code = reply["code"].flatMap { $0.intValue ?? $0.stringValue.flatMap { Int($0) } }
        self = code.flatMap(Self.known) ?? .error(code: code, message: reply["msg"]?.stringValue ?? "")
    }

    private static func known(_ code: Int) -> CloudOutcome? {
        switch code {
        case 1004: .badSignature
        case 1005: .badCredentials
        case 1010: .tokenExpired
        case 1011, 1012: .tokenInvalid
        case 1013: .clockSkew
        case 1100, 1108, 1109: .badRequest
        case 1106: .permissionDenied
        case 1110, 1111, 1199, 500: .retryLater
        case 2001: .deviceOffline
        case 2003, 2008, 2009: .unsupportedFunction
        case 2010: .unknownDevice
        case 2017: .noSchema
        case 2406: .wrongDataCentreOrApp
        case 28_841_002: .subscriptionExpired
        case 28_841_105: .apiNotSubscribed
        default: nil
        }
    }

    /// The name in the protocol description.
    package var name: String {
        switch self {
        case .ok: "ok"
        case .badSignature: "bad_signature"
        case .badCredentials: "bad_credentials"
        case .tokenExpired: "token_expired"
        case .tokenInvalid: "token_invalid"
        case .clockSkew: "clock_skew"
        case .badRequest: "bad_request"
        case .permissionDenied: "permission_denied"
        case .retryLater: "retry_later"
        case .deviceOffline: "device_offline"
        case .unsupportedFunction: "unsupported_function"
        case .unknownDevice: "unknown_device"
        case .noSchema: "no_schema"
        case .wrongDataCentreOrApp: "wrong_data_centre_or_app"
        case .subscriptionExpired: "subscription_expired"
        case .apiNotSubscribed: "api_not_subscribed"
        case .error: "error"
        }
    }
}
