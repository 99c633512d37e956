package import HomeModel
package import TuyaProtocol

/// Why a device cannot be talked to.
package enum LinkFailure: Equatable, Sendable {
    /// Neither the configuration nor a beacon has told an address.
    case addressUnknown
    /// There is no local key to talk with.
    case keyMissing
    /// It announces a version that nobody here speaks.
    case unsupportedVersion(String)
    /// No way to it, or the way broke off.
    case unreachable(Break)
    /// Its connections are taken.
    case held(Refusal)
    /// Nothing that it says can be read, or it reads nothing of ours.
    case keyRefused(Evidence)
    /// It does not speak the version that it was spoken to in.
    case versionRefused(spoken: ProtocolVersion, announced: ProtocolVersion?)
    /// Nobody has told its version, which is being found by trying; this one did not fit.
    case versionSought(ProtocolVersion)
    /// Its beacon names another version than before.
    case versionChanged(ProtocolVersion)
    /// Its beacon comes from another address than before.
    case addressMoved
    /// It says that it is not the device with this id.
    case idRefused
    /// It sleeps.
    case asleep
    /// Its hub says that it is not there.
    case absent
    /// Its hub cannot be reached, for this reason.
    indirect case hub(LinkFailure)

    /// How a connection ended or did not come to be.
    package enum Break: Sendable {
        case timedOut, noRoute, lost, restarting, silent, mute
    }

    /// How a device shows that it wants no more clients.
    package enum Refusal: Sendable {
        case refused, closedAtOnce
    }

    /// What speaks against the key.
    package enum Evidence: Sendable {
        /// The device proved that it holds another key.
        case proof
        /// What it sends cannot be deciphered.
        case undecipherable
        /// It says that it cannot decipher what we send.
        case complaint
        /// It closes the connection when we begin to negotiate.
        case closed
        /// It does not answer when we begin to negotiate.
        case silence
        /// It answers heartbeats, which need no key, and nothing else.
        case heartbeatsOnly
    }
}

extension LinkFailure {
    /// The code under which the gateway shows it.
    package var reason: Connectivity.Reason {
        switch self {
        case .addressUnknown, .unreachable, .absent: .unreachable
        case .keyMissing, .keyRefused: .keyChanged
        case .unsupportedVersion: .unsupportedProtocol
        case .held: .heldByOtherClient
        case .versionRefused, .versionChanged: .protocolChanged
        case .versionSought: "version_sought"
        case .addressMoved: .addressMoved
        case .idRefused: "unknown_device_id"
        case .asleep: .sleeping
        case .hub(let failure): failure.reason
        }
    }

    /// One sentence for a person.
    package var detail: String {
        switch self {
        case .addressUnknown: "No beacon of the device has been heard and the configuration has no address."
        case .keyMissing: "There is no local key for the device."
        case .unsupportedVersion(let text): "The device announces protocol \(text.prefix(16)), which is not supported."
        case .unreachable(let how): how.detail
        case .held(.refused):
            "The device refuses connections: another client such as the vendor's app holds it, or its firmware waits for "
                + "its cloud."
        case .held(.closedAtOnce):
            "The device closes the connection at once: another client such as the vendor's app probably holds it."
        case .keyRefused(let evidence):
            "The local key or the protocol version does not fit: \(evidence.detail). The device was paired again (then it "
                + "has a new key) or updated (then it may speak a new version)."
        case .versionRefused(let spoken, let announced?) where announced != spoken:
            "The device does not understand protocol \(spoken); it announces \(announced)."
        case .versionRefused(let spoken, _):
            "The device does not understand protocol \(spoken): it was probably updated, or the local key does not fit."
        case .versionSought(let version):
            "The device's protocol version is not known and is being found by trying, which takes up to two minutes; "
                + "\(version) did not fit. Setting its version, or letting its beacons through, is faster."
        case .versionChanged(let version): "The device announces protocol \(version), another one than before."
        case .addressMoved: "The device was heard at another address, which is being tried."
        case .idRefused: "The device says that it has another id; a sub-device must be configured with hub and cid."
        case .asleep: "The device sleeps and is reached when it wakes up."
        case .absent: "The hub says that the device is not there."
        case .hub(let failure): "The hub cannot be reached. \(failure.detail)"
        }
    }

    /// What to answer to a command.
    package var commandError: CommandError {
        switch self {
        case .keyMissing, .keyRefused: CommandError(.keyChanged, detail, hint: Self.keyHint)
        case .unsupportedVersion, .versionRefused: CommandError(.unsupportedProtocol, detail)
        case .held: CommandError(.deviceBusy, detail, hint: "Close the vendor's app and other clients of the device.")
        case .idRefused: CommandError(.invalidConfig, detail)
        case .hub(let failure):
            CommandError(failure.commandError.code, detail, hint: failure.commandError.hint)
        case .addressUnknown, .unreachable, .versionSought, .versionChanged, .addressMoved, .asleep, .absent:
            CommandError(.deviceOffline, detail)
        }
    }

    /// Whether the same would be seen where only the version is wrong.
    var mayMeanAnotherVersion: Bool {
        switch self {
        case .keyRefused(.proof): false
        case .keyRefused, .versionRefused, .unreachable(.silent), .held(.closedAtOnce): true
        default: false
        }
    }

    private static let keyHint = "Get the present local key from the vendor's platform or pair the device again."
}

extension LinkFailure.Break {
    var detail: String {
        switch self {
        case .timedOut: "The device does not answer at its address."
        case .noRoute: "There is no way to the device's address."
        case .lost: "The connection to the device was lost."
        case .restarting: "The device refuses connections after it was just there: it probably restarts."
        case .silent:
            "The device accepts connections but says nothing: its local key or protocol version may not fit, or it needs a "
                + "power cycle."
        case .mute: "The device has not been heard for too long."
        }
    }
}

extension LinkFailure.Evidence {
    var detail: String {
        switch self {
        case .proof: "the device holds another key"
        case .undecipherable: "what the device sends cannot be deciphered"
        case .complaint: "the device cannot decipher what it is sent"
        case .closed: "the device closes the connection when the session key is negotiated"
        case .silence: "the device does not answer when the session key is negotiated, or it needs a power cycle"
        case .heartbeatsOnly: "the device answers heartbeats and no questions"
        }
    }
}
