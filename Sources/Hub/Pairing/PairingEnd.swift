import HomeModel

/// How a pairing session ends.
enum PairingEnd: Sendable, Equatable {
    /// These devices came in, by the plugin's own ids.
    case succeeded([VendorID])
    case failed(PairingFailure)
    case cancelled
    /// It took too long; the failure says what.
    case expired(PairingFailure)

    /// The state as it is published.
    var state: String {
        switch self {
        case .succeeded: "succeeded"
        case .failed: "failed"
        case .cancelled: "cancelled"
        case .expired: "expired"
        }
    }

    var failure: PairingFailure? {
        switch self {
        case .failed(let failure), .expired(let failure): failure
        case .succeeded, .cancelled: nil
        }
    }
}
