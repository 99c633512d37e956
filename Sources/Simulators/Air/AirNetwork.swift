package import JSON

/// A network on the air of a simulated radio.
package struct AirNetwork: Equatable, Sendable {
    /// Its name, 1 to 32 bytes.
    package var ssid: String
    /// The access point's address; tells networks of one name apart.
    package var bssid: String?
    /// dBm.
    package var signal: Int
    /// MHz.
    package var frequency: Int
    /// What it wants to be joined with; nil for an open network.
    package var passphrase: String?
    /// The interface that a radio reaches it by, unless the radio says another.
    package var interface: String
    /// The address that a radio gets there.
    package var address: String
    /// Length of the prefix of ``address``.
    package var prefix: Int
    /// The access point itself.
    package var gateway: String?

    /// Describes a network; by default one on loopback, where nothing has to be moved.
    package init(
        ssid: String,
        bssid: String? = nil,
        signal: Int = -40,
        frequency: Int = 2437,
        passphrase: String? = nil,
        interface: String = "lo",
        address: String = "127.0.0.1",
        prefix: Int = 8,
        gateway: String? = nil
    ) {
        self.ssid = ssid
        self.bssid = bssid
        self.signal = signal
        self.frequency = frequency
        self.passphrase = passphrase
        self.interface = interface
        self.address = address
        self.prefix = prefix
        self.gateway = gateway
    }
}

extension AirNetwork {
    /// `{"ssid","bssid"?,"signal","frequency","secured","passphrase"?,"interface","address","prefix","gateway"?}`: a file
    /// of the air.
    package var json: JSON {
        var object: JSONObject = ["ssid": .string(ssid)]
        if let bssid { object["bssid"] = .string(bssid) }
        object["signal"] = .integer(Int64(signal))
        object["frequency"] = .integer(Int64(frequency))
        object["secured"] = .bool(passphrase != nil)
        if let passphrase { object["passphrase"] = .string(passphrase) }
        object["interface"] = .string(interface)
        object["address"] = .string(address)
        object["prefix"] = .integer(Int64(prefix))
        if let gateway { object["gateway"] = .string(gateway) }
        return .object(object)
    }

    /// Reads a file of the air; what is missing but the name is as in the initializer.
    package init?(json: JSON) {
        guard let ssid = json["ssid"]?.stringValue, !ssid.isEmpty else { return nil }
        self.init(ssid: ssid)
        bssid = json["bssid"]?.stringValue
        signal = json["signal"]?.intValue.map { Int($0) } ?? signal
        frequency = json["frequency"]?.intValue.map { Int($0) } ?? frequency
        passphrase = json["passphrase"]?.stringValue
        interface = json["interface"]?.stringValue ?? interface
        address = json["address"]?.stringValue ?? address
        prefix = json["prefix"]?.intValue.map { Int($0) } ?? prefix
        gateway = json["gateway"]?.stringValue
    }

    /// What a scan tells of it.
    package var sighting: JSON {
        var object: JSONObject = ["ssid": .string(ssid)]
        if let bssid { object["bssid"] = .string(bssid) }
        object["signal"] = .integer(Int64(signal))
        object["frequency"] = .integer(Int64(frequency))
        object["secured"] = .bool(passphrase != nil)
        return .object(object)
    }

    /// Where a radio is that joined it.
    func place(on interface: String?) -> JSON {
        var object: JSONObject = ["interface": .string(interface ?? self.interface), "address": .string(address)]
        object["prefix"] = .integer(Int64(prefix))
        if let gateway { object["gateway"] = .string(gateway) }
        return .object(object)
    }
}
