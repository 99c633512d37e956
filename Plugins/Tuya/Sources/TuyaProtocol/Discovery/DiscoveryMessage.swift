/// What a datagram on a discovery port turned out to be.
package enum DiscoveryMessage: Equatable, Sendable {
    /// A device on the LAN; ``Beacon/gatewayID`` is set.
    case device(Beacon)
    /// A device in its own hotspot, waiting to be paired.
    case hotspotDevice(Beacon)
    /// The question "who is there" from us or another client.
    case request(Beacon)
    /// Nothing that we can use.
    case drop(TuyaProtocolError)

    /// The name in the protocol description.
    package var code: String {
        switch self {
        case .device: "device"
        case .hotspotDevice: "ap_device"
        case .request: "own_request"
        case .drop: "drop"
        }
    }

    /// What it says, unless it was dropped.
    package var beacon: Beacon? {
        switch self {
        case .device(let beacon), .hotspotDevice(let beacon), .request(let beacon): beacon
        case .drop: nil
        }
    }
}
