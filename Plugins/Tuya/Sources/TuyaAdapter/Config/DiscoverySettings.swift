/// How devices on the LAN are found.
package struct DiscoverySettings: Sendable, Equatable {
    /// Whether beacons are listened to at all.
    package var isEnabled = true
    /// UDP ports to listen on.
    package var ports: [UInt16] = [6666, 6667, 7000]
    /// Names of the interfaces over which devices are asked to speak up; empty: all that can broadcast.
    package var interfaces: [String] = []
    /// Addresses to ask besides the broadcast addresses, for networks that broadcasts do not reach.
    package var targets: [String] = []

    /// All ports, all interfaces.
    package init() {}

    init(_ reader: inout ConfigReader) {
        isEnabled = reader.flag("enabled") ?? true
        if let numbers = reader.integers("ports", 1...65_535) { ports = numbers.map { UInt16($0) } }
        interfaces = reader.texts("interfaces") ?? []
        targets = reader.texts("targets") ?? []
        reader.refuseOtherKeys()
    }
}
