/// Every code that an answer may carry: the closed list of mqtt-conventions section 2, also used on the plugin wire.
public enum ErrorCode: String, Sendable, CaseIterable {
    case badJSON = "bad_json"
    case badRequest = "bad_request"
    case unknownRequest = "unknown_request"
    case notAuthorized = "not_authorized"
    case deviceNotFound = "device_not_found"
    case groupNotFound = "group_not_found"
    case pluginNotFound = "plugin_not_found"
    case pluginDown = "plugin_down"
    case capabilityMissing = "capability_missing"
    case valueOutOfRange = "value_out_of_range"
    case deviceOffline = "device_offline"
    case deviceBusy = "device_busy"
    case timeout
    case authFailed = "auth_failed"
    case keyChanged = "key_changed"
    case unsupportedProtocol = "unsupported_protocol"
    case cloudError = "cloud_error"
    case rateLimited = "rate_limited"
    case conflict
    case invalidConfig = "invalid_config"
    case readOnly = "read_only"
    case propertyUnknown = "property_unknown"
    case expertOnly = "expert_only"
    case retainedCommand = "retained_command"
    case tooLarge = "too_large"
    case `internal`

    /// Whether the same call may succeed later without a person doing anything.
    public var isRetryable: Bool {
        switch self {
        case .pluginDown, .deviceOffline, .deviceBusy, .timeout, .cloudError, .rateLimited: true
        case .badJSON, .badRequest, .unknownRequest, .notAuthorized, .deviceNotFound, .groupNotFound, .pluginNotFound,
            .capabilityMissing, .valueOutOfRange, .authFailed, .keyChanged, .unsupportedProtocol, .conflict,
            .invalidConfig, .readOnly, .propertyUnknown, .expertOnly, .retainedCommand, .tooLarge, .internal:
            false
        }
    }

    /// The number of this code on the plugin wire (JSON-RPC `error.code`); codes that only doors give have none.
    public var wireNumber: Int? {
        switch self {
        case .authFailed: 1001
        case .deviceOffline: 1002
        case .rateLimited: 1003
        case .capabilityMissing: 1004
        case .deviceNotFound: 1005
        case .timeout: 1006
        case .invalidConfig: 1007
        case .valueOutOfRange: 1008
        case .keyChanged: 1009
        case .deviceBusy: 1010
        case .cloudError: 1011
        case .unsupportedProtocol: 1012
        case .readOnly: 1013
        case .conflict: 1014
        case .propertyUnknown: 1015
        case .expertOnly: 1016
        case .tooLarge: 1017
        case .internal: 1018
        case .badRequest: 1019
        case .badJSON, .unknownRequest, .notAuthorized, .groupNotFound, .pluginNotFound, .pluginDown, .retainedCommand:
            nil
        }
    }

    /// The code with a number of the plugin wire.
    public init?(wireNumber: Int) {
        guard let code = Self.allCases.first(where: { $0.wireNumber == wireNumber }) else { return nil }
        self = code
    }
}
