package import HomeModel
package import TuyaProtocol

/// What one of the vendor's numbers means to a person, and what to do.
package struct PairingExplanation: Sendable, Equatable {
    /// Our code.
    package let code: PairingCode
    /// What happened, one sentence.
    package let words: String
    /// What to do next, one sentence.
    package let hint: String
    /// The step at which it comes up.
    package let step: PairingStep
    /// The step that a new try begins at.
    package let retryFrom: PairingStep
    /// What makes us say so.
    package let cause: String
}

extension PairingErrorCode {
    /// The table of all numbers, as a value; the pairing guide's table is made from it.
    ///
    /// Source: protocol description, section 8.8; the vendor's page on the hotspot mode for the meanings.
    package var explanation: PairingExplanation {
        switch self {
        case .noChannel:
            PairingExplanation(
                code: .noChannel,
                words: "No connection to the device in its hotspot came about.",
                hint:
                    "Check that the device still blinks slowly, close the vendor's app, and try again; a device with a "
                    + "printed code needs that code.",
                step: .openChannel,
                retryFrom: .findHotspot,
                cause: "no address, TCP refused or silent, TLS failed"
            )
        case .unknownDeviceState:
            PairingExplanation(
                code: .deviceConfused,
                words: "The device does not say how it is, or says that it is paired already.",
                hint: "Reset the device so that it blinks slowly, and try again.",
                step: .queryDevice,
                retryFrom: .findHotspot,
                cause: "no answer to the question for its state, no JSON, no uuid, or `active` is not 0"
            )
        case .listNotSupported:
            PairingExplanation(
                code: .unsupportedMethod,
                words: "The device cannot list the networks that it sees.",
                hint: "Type the network's name by hand, or use the method ap-legacy.",
                step: .listNetworks,
                retryFrom: .chooseNetwork,
                cause: "TuyaOS older than 3.6.1, a beacon without `apConfigType`, or an empty answer"
            )
        case .wrongInformation:
            PairingExplanation(
                code: .credentialsRejected,
                words: "The network's name, its password or the token cannot be what the device wants.",
                hint: "Check the name (1 to 32 bytes) and the password (none, or 8 to 64 bytes), then answer again.",
                step: .sendCredentials,
                retryFrom: .chooseNetwork,
                cause: "checked here before sending; the device answered with an error; device code 1"
            )
        case .routerNotFound:
            PairingExplanation(
                code: .networkNotFound,
                words: "The device did not find the network.",
                hint: "Check the name; the network must have 2.4 GHz and reach the device.",
                step: .deviceJoins,
                retryFrom: .chooseNetwork,
                cause: "device code 2"
            )
        case .wrongPassword:
            PairingExplanation(
                code: .wrongPassword,
                words: "The network refused the password.",
                hint: "Type the password again.",
                step: .deviceJoins,
                retryFrom: .chooseNetwork,
                cause: "device code 3"
            )
        case .cannotConnectToRouter:
            PairingExplanation(
                code: .joinFailed,
                words: "The device could not join the network.",
                hint: "Check name and password; the network must offer WPA2 on 2.4 GHz and let new devices in.",
                step: .deviceJoins,
                retryFrom: .chooseNetwork,
                cause: "device code 4; its hotspot is back without a reason and without a sign of it on the LAN"
            )
        case .noAddress:
            PairingExplanation(
                code: .noLease,
                words: "The network gave the device no address.",
                hint: "Restart the router or free addresses in its DHCP range, then answer again.",
                step: .deviceJoins,
                retryFrom: .chooseNetwork,
                cause: "device code 5"
            )
        case .cloudActivationFailed:
            PairingExplanation(
                code: .activationFailed,
                words: "The vendor's cloud did not activate the device.",
                hint: "Remove the device from the account that has it, check the account's region, and try again.",
                step: .deviceJoins,
                retryFrom: .token,
                cause:
                    "the cloud lists the device as failed; its hotspot is back after it was on the LAN; a device with a "
                    + "security level was not activated in time"
            )
        case .cannotConnectToCloud:
            PairingExplanation(
                code: .cloudUnreachable,
                words: "The device could not reach the vendor's cloud.",
                hint: "Let the device out to the internet while it is paired: DNS, 443 and 8883.",
                step: .deviceJoins,
                retryFrom: .chooseNetwork,
                cause: "device code 6"
            )
        case .activationRequestFailed:
            PairingExplanation(
                code: .activationFailed,
                words: "The device's request to be activated failed.",
                hint: "Try again with a new token; check that the account's region is the device's.",
                step: .deviceJoins,
                retryFrom: .token,
                cause: "device code 8"
            )
        case .cloudRequestFailed:
            PairingExplanation(
                code: .cloudUnreachable,
                words: "The vendor's cloud does not tell what became of the pairing.",
                hint:
                    "Check the account (method account) and the gateway's internet; the device may be paired: look with "
                    + "the method cloud.",
                step: .deviceJoins,
                retryFrom: .token,
                cause: "the cloud answers the question about the token with errors for 30 s"
            )
        case .cloudNotFound:
            PairingExplanation(
                code: .cloudUnreachable,
                words: "The device did not find the vendor's cloud.",
                hint: "Let the device use DNS and reach the internet while it is paired.",
                step: .deviceJoins,
                retryFrom: .chooseNetwork,
                cause: "device code 7"
            )
        case .timedOut:
            PairingExplanation(
                code: "timeout",
                words: "The pairing did not end in time.",
                hint:
                    "Most often the password or the name was wrong, or the network has no 2.4 GHz: reset the device and "
                    + "try again.",
                step: .deviceJoins,
                retryFrom: .findHotspot,
                cause:
                    "100 s (old process) or 120 s (new process) after the first credentials, unless another time was given"
            )
        case .listFailed:
            PairingExplanation(
                code: .deviceConfused,
                words: "The device did not list the networks that it sees.",
                hint: "Answer without a name to ask it again, or type the network's name by hand.",
                step: .listNetworks,
                retryFrom: .listNetworks,
                cause: "no list within 15 s, an error, or something unreadable"
            )
        }
    }

    /// The failure that a session reports.
    ///
    /// - Parameters:
    ///   - words: more precise ones.
    ///   - code: a more precise one.
    package func failure(
        _ words: String? = nil,
        code: PairingCode? = nil,
        hint: String? = nil,
        step: PairingStep? = nil
    ) -> PairingFailure {
        let explanation = explanation
        return PairingFailure(
            code ?? explanation.code,
            words ?? explanation.words,
            hint: hint ?? explanation.hint,
            vendorCode: "\(rawValue)",
            step: (step ?? explanation.step).rawValue,
            retryFrom: explanation.retryFrom.rawValue
        )
    }

    /// The table of the pairing guide.
    package static var guideTable: String {
        var lines = [
            "| number | code | what happened | what to do | retry from | said when |",
            "| --- | --- | --- | --- | --- | --- |",
        ]
        for code in allCases {
            let row = code.explanation
            lines.append(
                "| \(code.rawValue) | `\(row.code.rawValue)` | \(row.words) | \(row.hint) | `\(row.retryFrom.rawValue)` | "
                    + "\(row.cause) |"
            )
        }
        return lines.joined(separator: "\n")
    }
}
