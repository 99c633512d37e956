package import HomeModel

/// Whether a device can be talked to.
package enum LinkStatus: Equatable, Sendable {
    /// Not tried yet.
    case starting
    case online
    case offline(LinkFailure)

    /// What the gateway is told, without the exceptions for devices that sleep.
    package var connectivity: Connectivity {
        switch self {
        case .starting: Connectivity(isOnline: false, reason: .starting)
        case .online: .online
        case .offline(let failure): Connectivity(isOnline: false, reason: failure.reason, detail: failure.detail)
        }
    }

    /// What to answer to a command; nil while online.
    package var commandError: CommandError? {
        switch self {
        case .starting: CommandError(.deviceOffline, "The device has not been reached yet.")
        case .online: nil
        case .offline(let failure): failure.commandError
        }
    }
}
