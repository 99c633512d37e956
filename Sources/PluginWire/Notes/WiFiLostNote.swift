public import HomeModel
public import JSON

/// `wifi/lost`: the network that a session joined is gone.
public struct WiFiLostNote: Sendable, Equatable {
    /// Which session.
    public var session: PairingID
    /// The network's name.
    public var ssid: String

    /// Names a session and its network.
    public init(session: PairingID, ssid: String) {
        self.session = session
        self.ssid = ssid
    }

    /// The notification `{"session","ssid"}` as a line.
    public var line: [UInt8] {
        WireMessage.notification(
            method: WireMethod.wifiLost.rawValue,
            params: ["session": .string(session.text), "ssid": .string(ssid)]
        ).line
    }

    /// Reads the parameters that ``line`` writes, nil where they are none.
    public init?(params: JSONObject) {
        guard let session = params["session"]?.stringValue.flatMap(PairingID.init),
            let ssid = params["ssid"]?.stringValue
        else { return nil }
        self.init(session: session, ssid: ssid)
    }
}
