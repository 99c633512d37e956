package import JSON

/// What the cloud says about a pairing token.
///
/// Source: protocol description, section 9.4.
package enum PairingPoll: Equatable, Sendable {
    /// A device that the cloud refused.
    package struct Failure: Equatable, Sendable {
        package var deviceID: String
        package var code: String
        package var message: String

        /// Describes a refusal.
        package init(deviceID: String, code: String, message: String) {
            self.deviceID = deviceID
            self.code = code
            self.message = message
        }
    }

    /// Nothing yet.
    case pending
    /// At least one device; refused ones beside it.
    case paired(deviceIDs: [String], failures: [Failure])
    case failed([Failure])
    /// The question itself was refused; go on asking.
    case cloudError(CloudOutcome)

    /// Reads an answer; lists may be `null`.
    package init(_ reply: JSON) {
        let outcome = CloudOutcome(reply)
        guard outcome == .ok else {
            self = .cloudError(outcome)
            return
        }
        let result = reply["result"]
        let devices = (result?["success"]?.arrayValue ?? []).compactMap(Self.deviceID)
        let refused = ["failed", "error"].compactMap { result?[$0]?.arrayValue }.first ?? []
        let failures = refused.map { entry in
            Failure(
                deviceID: Self.deviceID(entry) ?? "",
                code: entry["code"].flatMap { $0.stringValue ?? $0.intValue.map(String.init) } ?? "",
                message: entry["msg"]?.stringValue ?? ""
            )
        }
        if !devices.isEmpty {
            self = .paired(deviceIDs: devices, failures: failures)
        } else {
            self = failures.isEmpty ? .pending : .failed(failures)
        }
    }

    /// The name in the protocol description.
    package var name: String {
        switch self {
        case .pending: "pending"
        case .paired: "paired"
        case .failed: "failed"
        case .cloudError: "cloud_error"
        }
    }

    private static func deviceID(_ entry: JSON) -> String? { (entry["device_id"] ?? entry["id"])?.stringValue }
}
