public import HomeModel
public import JSON

/// The result of `wifi/join`.
public struct WiFiJoinAnswer: Sendable, Equatable {
    /// Where the radio is.
    public var place: WiFiPlace

    /// States where the radio is.
    public init(place: WiFiPlace) { self.place = place }

    /// `{"interface","address","prefix","gateway"?}`.
    public var json: JSON {
        var object: JSONObject = ["interface": .string(place.interface), "address": .string(place.address)]
        object["prefix"] = JSON(place.prefix)
        if let gateway = place.gateway { object["gateway"] = .string(gateway) }
        return .object(object)
    }

    /// Reads the form that ``json`` writes.
    public init(json: JSON) throws(WireFault) {
        guard let interface = json["interface"]?.stringValue, let address = json["address"]?.stringValue,
            let prefix = json["prefix"]?.intValue, (0...32).contains(prefix)
        else {
            throw .badResult("wifi/join: needs the texts \"interface\" and \"address\" and a \"prefix\" of 0 to 32")
        }
        place = WiFiPlace(
            interface: interface,
            address: address,
            prefix: prefix,
            gateway: json["gateway"]?.stringValue
        )
    }
}
