/// A Wi-Fi network that the gateway's own radio sees.
public struct WiFiSighting: Equatable, Sendable {
    /// Its name, 1 to 32 bytes; names that are no UTF-8 are left out.
    public var ssid: String
    /// The access point's address, lower case with colons, where known.
    public var bssid: String?
    /// dBm, negative, where known.
    public var signal: Int?
    /// MHz, where known: 2412 to 2484 is the band of 2.4 GHz.
    public var frequency: Int?
    /// Whether it wants a password.
    public var isSecured: Bool

    /// Describes a network.
    public init(ssid: String, bssid: String? = nil, signal: Int? = nil, frequency: Int? = nil, isSecured: Bool) {
        self.ssid = ssid
        self.bssid = bssid
        self.signal = signal
        self.frequency = frequency
        self.isSecured = isSecured
    }

    /// Whether devices that know 2.4 GHz only can use it; nil where unknown.
    public var is2GHz: Bool? { frequency.map { (2400...2500).contains($0) } }
}

/// Where the gateway's radio is after it joined a network.
public struct WiFiPlace: Equatable, Sendable {
    /// The interface to bind sockets to.
    public var interface: String
    /// Its IPv4 address there.
    public var address: String
    /// Length of the network's prefix, 0 to 32.
    public var prefix: Int
    /// The access point's address, where known; for a device's hotspot the device itself.
    public var gateway: String?

    /// Describes a place.
    public init(interface: String, address: String, prefix: Int, gateway: String? = nil) {
        self.interface = interface
        self.address = address
        self.prefix = prefix
        self.gateway = gateway
    }
}
