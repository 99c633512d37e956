public import HomeModel
public import JSON

/// The result of `wifi/scan`.
public struct WiFiScanAnswer: Sendable, Equatable {
    /// The networks in reach, strongest first.
    public var networks: [WiFiSighting]

    /// States what is in reach.
    public init(networks: [WiFiSighting]) { self.networks = networks }

    /// `{"networks":[{"ssid","bssid"?,"signal"?,"frequency"?,"secured"}]}`.
    public var json: JSON {
        let list = networks.map { network -> JSON in
            var object: JSONObject = ["ssid": .string(network.ssid)]
            if let bssid = network.bssid { object["bssid"] = .string(bssid) }
            if let signal = network.signal { object["signal"] = JSON(signal) }
            if let frequency = network.frequency { object["frequency"] = JSON(frequency) }
            object["secured"] = .bool(network.isSecured)
            return .object(object)
        }
        return ["networks": .array(list)]
    }

    /// Reads the form that ``json`` writes.
    public init(json: JSON) throws(WireFault) {
        guard let list = json["networks"]?.arrayValue else {
            throw .badResult("wifi/scan: \"networks\" must be a list")
        }
        networks = []
        for network in list {
            guard let ssid = network["ssid"]?.stringValue, let isSecured = network["secured"]?.boolValue else {
                throw .badResult("wifi/scan: a network needs a text \"ssid\" and \"secured\", true or false")
            }
            networks.append(
                WiFiSighting(
                    ssid: ssid,
                    bssid: network["bssid"]?.stringValue,
                    signal: network["signal"]?.intValue,
                    frequency: network["frequency"]?.intValue,
                    isSecured: isSecured
                )
            )
        }
    }
}
