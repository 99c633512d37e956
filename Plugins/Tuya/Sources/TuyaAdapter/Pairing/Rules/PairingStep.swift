/// The steps of a pairing, in the order in which they come; a method has some of them.
package enum PairingStep: String, CaseIterable, Sendable {
    case preflight
    case token
    case findHotspot = "find_device_ap"
    case joinHotspot = "join_device_ap"
    case openChannel = "open_channel"
    case queryDevice = "query_device"
    case listNetworks = "list_networks"
    case chooseNetwork = "choose_network"
    case sendCredentials = "send_credentials"
    case returnHome = "return_home"
    case deviceJoins = "device_joins_wifi"
    case confirmSameWiFi = "confirm_same_wifi"
    case findOnLAN = "find_on_lan"
    case handshake
    case register
}
