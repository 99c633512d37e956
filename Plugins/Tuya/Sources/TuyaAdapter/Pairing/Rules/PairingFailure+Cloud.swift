package import HomeModel
package import TuyaProtocol

extension PairingFailure {
    /// What a failed call to the vendor's cloud means for a pairing.
    package init(_ error: CloudError, step: PairingStep) {
        let (code, hint): (PairingCode, String) =
            switch error.reason {
            case .refused(let outcome): Self.meaning(of: outcome)
            case .unreachable, .timedOut:
                (.cloudUnreachable, "Check the gateway's internet; the address is the one of the account's region.")
            case .untrusted, .notTheCloud:
                (.cloudUnreachable, "What answers is not the vendor's cloud: check the account's region or address.")
            case .incomplete: (.cloudUnreachable, "Try again; the cloud left out what was asked for.")
            case .notConfigured:
                ("account_missing", "Name an account with the method account, or give a token by hand.")
            case .cancelled: (.interrupted, "Try again.")
            }
        self.init(
            code,
            error.message,
            hint: error.hint ?? hint,
            vendorCode: error.code,
            step: step.rawValue,
            retryFrom: step.rawValue
        )
    }

    private static func meaning(of outcome: CloudOutcome) -> (PairingCode, String) {
        switch outcome {
        case .badSignature, .badCredentials:
            ("auth_failed", "Check client id and secret with the method account.")
        case .tokenExpired, .tokenInvalid: ("auth_failed", "Try again; the access to the cloud had run out.")
        case .clockSkew: ("clock_skew", "Set the gateway's clock.")
        case .permissionDenied, .wrongDataCentreOrApp:
            ("permission_denied", "Link the app account to the cloud project and use its data centre.")
        case .retryLater: ("rate_limited", "Wait a minute and try again.")
        case .subscriptionExpired, .apiNotSubscribed:
            (
                "subscription_missing",
                "Subscribe to the cloud project's services IoT Core and Authorization, or renew them."
            )
        case .unknownDevice: ("device_not_found", "Check that the device is in this account.")
        case .deviceOffline: ("device_offline", "Check that the device has power and network.")
        case .badRequest:
            ("cloud_error", "Check the account's region: requests to the wrong one are refused like this.")
        case .ok, .unsupportedFunction, .noSchema, .error: ("cloud_error", "See what the cloud says; try again later.")
        }
    }

    /// What the cloud says of a device that it refused.
    package init(refused failure: PairingPoll.Failure) {
        let bound = failure.code.uppercased().contains("BIND") || failure.message.lowercased().contains("bound")
        self = PairingErrorCode.cloudActivationFailed.failure(
            bound ? "The device belongs to another account." : nil,
            code: bound ? .alreadyBound : nil,
            hint: bound ? "Remove it in the app of the account that has it, reset it, and try again." : nil
        )
        let said = [failure.code, failure.message].filter { !$0.isEmpty }.joined(separator: ": ").prefix(120)
        if !said.isEmpty { message += " The cloud says: \(said)." }
    }
}
