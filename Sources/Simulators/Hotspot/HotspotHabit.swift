/// How a simulated device in its own hotspot is told about the home's network.
///
/// - Source: tuya-ap-plus.md sections 4 and 5; tuya.md sections 7 and 8.
package enum HotspotHabit: String, Sendable, Equatable, CaseIterable {
    /// The new process: TCP where the device is the TLS client, sealed frames, one in a record.
    case apPlus = "ap-plus"
    /// The usual old process: one clear datagram to UDP 6669, no answer.
    case legacyUDP = "legacy-udp"
    /// An older one: clear frames over TCP 6668, 0x01 with the network, then 0x02 with the token; announcements in clear.
    case legacyTCP = "legacy-tcp"
}
