package import HomeModel
import TuyaProtocol

extension CloudError {
    /// What to answer a request with that needed the cloud.
    package var commandError: CommandError {
        CommandError(errorCode, message, hint: hint, vendorCode: code)
    }

    /// What to end a pairing session's step with.
    package func failure(step: String? = nil, retryFrom: String? = nil) -> PairingFailure {
        PairingFailure(pairingCode, message, hint: hint, vendorCode: code, step: step, retryFrom: retryFrom)
    }

    private var errorCode: ErrorCode {
        switch reason {
        case .refused(let outcome):
            switch outcome {
            case .badSignature, .badCredentials, .tokenExpired, .tokenInvalid: .authFailed
            case .permissionDenied, .apiNotSubscribed, .subscriptionExpired, .wrongDataCentreOrApp: .notAuthorized
            case .retryLater: .rateLimited
            case .deviceOffline: .deviceOffline
            case .unknownDevice: .deviceNotFound
            case .unsupportedFunction, .noSchema: .capabilityMissing
            case .ok, .clockSkew, .badRequest, .error: .cloudError
            }
        case .timedOut: .timeout
        case .notConfigured: .invalidConfig
        case .unreachable, .untrusted, .notTheCloud, .incomplete, .cancelled: .cloudError
        }
    }

    private var pairingCode: PairingCode {
        switch reason {
        case .unreachable, .timedOut: .cloudUnreachable
        case .refused, .untrusted, .notTheCloud, .incomplete, .notConfigured, .cancelled: PairingCode(errorCode)
        }
    }
}
