package import HomeModel
package import TuyaProtocol

extension PairingFailure {
    /// What a failed connection means for a device that is to be taken in.
    package init(_ failure: LinkFailure?) {
        let code: PairingCode
        var hint: String
        var step = PairingStep.handshake
        switch failure {
        case .keyRefused?, .keyMissing?:
            code = .handshakeFailed
            hint =
                "Check the key, and that it is this device's: it changes whenever the device is paired. Without a version, "
                + "give one."
        case .held?:
            code = PairingCode(.deviceBusy)
            hint = "Close the vendor's app and other clients of the device, then try again."
        case .unsupportedVersion?, .versionRefused?, .versionSought?, .versionChanged?:
            code = PairingCode(.unsupportedProtocol)
            hint = "Give the version that the device speaks, 3.1 to 3.5."
        case .idRefused?:
            code = "unknown_device_id"
            hint = "Check the id; a sub-device comes in with import or cloud, beside its hub."
        case .addressUnknown?, .unreachable?, .addressMoved?, .asleep?, .absent?, .hub?, nil:
            code = .notOnLAN
            hint = "Check that the device has power and is in the gateway's network, or give its address."
            step = .findOnLAN
        }
        self.init(
            code,
            failure?.detail ?? "The device was not heard on the network.",
            hint: hint,
            step: step.rawValue,
            retryFrom: PairingStep.preflight.rawValue
        )
    }

    /// What is wrong with a local key that was typed.
    package init(_ problem: LocalKey.Problem) {
        self.init(
            "key_malformed",
            "This cannot be the local key: \(problem).",
            hint: "Copy the key exactly as the vendor's platform shows it.",
            step: PairingStep.preflight.rawValue,
            retryFrom: PairingStep.preflight.rawValue
        )
    }
}
