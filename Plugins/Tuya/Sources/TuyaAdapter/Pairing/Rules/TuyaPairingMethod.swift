/// The ways in which devices come in.
package enum TuyaPairingMethod: String, CaseIterable, Sendable {
    /// In the device's hotspot; which of the two processes, the hotspot shows.
    case hotspot = "ap"
    /// In the hotspot, the new process.
    case hotspotPlus = "ap-plus"
    /// In the hotspot, the old process.
    case hotspotLegacy = "ap-legacy"
    /// By id and local key.
    case manual
    /// From a list of devices with their keys.
    case list = "import"
    /// Names the cloud account that the other methods use.
    case account
    /// Devices that the account has already.
    case cloud

    /// The steps as far as they are known before the hotspot has shown itself.
    package var steps: [PairingStep] {
        switch self {
        case .hotspot, .hotspotPlus:
            [
                .preflight, .token, .findHotspot, .joinHotspot, .openChannel, .queryDevice, .listNetworks,
                .chooseNetwork,
                .sendCredentials, .returnHome, .deviceJoins, .findOnLAN, .handshake, .register,
            ]
        case .hotspotLegacy:
            [
                .preflight, .token, .chooseNetwork, .findHotspot, .joinHotspot, .sendCredentials, .returnHome,
                .deviceJoins, .findOnLAN, .handshake, .register,
            ]
        case .manual: [.preflight, .findOnLAN, .handshake, .register]
        case .list, .account, .cloud: [.preflight, .register]
        }
    }
}
