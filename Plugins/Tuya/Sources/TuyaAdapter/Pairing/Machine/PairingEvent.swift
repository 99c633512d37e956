package import HomeModel
package import JSON
package import TuyaProtocol

/// What happens to a ``HotspotMachine``.
package enum PairingEvent: Sendable {
    /// The answer to ``HotspotEffect/fetchToken``.
    case token(Result<PairingTicket, PairingFailure>)
    /// The answer to ``HotspotEffect/scan``.
    case scanned(Result<[WiFiSighting], CommandError>)
    /// The answer to ``HotspotEffect/join(ssid:)``.
    case joined(Result<WiFiPlace, CommandError>)
    /// The answer to ``HotspotEffect/leave``; nil where the radio is back.
    case left(CommandError?)
    /// The radio lost the network that it had joined.
    case hotspotLost(ssid: String)
    /// A device in the hotspot announced itself for the new process.
    case announced(HotspotDevice, address: String)
    /// A device in the hotspot announced itself as old firmware does; it takes credentials over TCP.
    case announcedOld(address: String)
    /// The channel stands.
    case channelUp
    /// It does not, or not any more.
    case channelDown(ChannelBreak)
    /// The gateway may not send in the hotspot, for this reason.
    case cannotSend(String)
    /// The device sent a frame.
    case frame(Command, returnCode: Int32, body: [UInt8])
    /// The old firmware's channel stands.
    case oldChannelUp
    case oldChannelDown
    /// The old firmware answered to a part of the credentials.
    case oldAnswer(Command, returnCode: Int32)
    /// A person answered.
    case answer(JSONObject)
    /// The answer to ``HotspotEffect/poll(_:)``.
    case polled(Result<PairingPoll, PairingFailure>)
    /// The answer to ``HotspotEffect/fetchDevice(_:)``; `mayRepeat` where a later try may succeed.
    case described(Result<CloudDevice, PairingFailure>, mayRepeat: Bool)
    /// A device was seen on the home's network.
    case sighted(LANSighting)
    /// How the device that was adopted is.
    case link(LinkStatus)
    /// The answer to ``HotspotEffect/checkNeighbourhood(_:)``: whether the gateway has an address in that network.
    case neighbour(Bool)
}
