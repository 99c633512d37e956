package import HomeModel
package import TuyaProtocol

/// What a ``HotspotMachine`` wants done, in order.
package enum HotspotEffect: Equatable, Sendable {
    /// Get a token from the cloud.
    case fetchToken
    /// Look for networks.
    case scan
    /// Move the radio to a hotspot.
    case join(ssid: String)
    /// Bring the radio back.
    case leave
    /// Listen for announcements in the hotspot.
    case listen(WiFiPlace)
    case stopListening
    /// Connect to the device, which is then the client of the handshake.
    case openChannel(ChannelPlace)
    /// Close the channel, or give the attempt up.
    case closeChannel
    /// Send one frame in one record.
    case send(Command, body: [UInt8])
    /// Send a datagram to the device's port for credentials, by broadcast and to its address.
    case datagram([UInt8], to: WiFiPlace, address: String)
    /// Connect to old firmware, without any protection.
    case openOldChannel(address: String, interface: String)
    case closeOldChannel
    /// Send one frame to old firmware.
    case sendOld(Command, body: [UInt8])
    /// Ask the cloud what became of a token.
    case poll(PairingToken)
    /// Ask the cloud for a device and its key.
    case fetchDevice(String)
    /// Tell of devices on the home's network from now on, or no more.
    case watchLAN(Bool)
    /// Find out whether the gateway is in the network of this address.
    case checkNeighbourhood(String)
    /// Take the device in and connect to it; how that goes is told by ``PairingEvent/link(_:)``.
    case adopt(CloudDevice, at: LANSighting?)
    /// Tell the gateway.
    case tell(PairingProgress)
    /// Something that a person may want to know.
    case note(SessionNote)
}
