/// Where devices talk in their own hotspot; tests give others, so that several fit on one machine.
package struct PairingPorts: Sendable, Equatable {
    /// UDP: announcements of old firmware, in clear.
    package var oldAnnouncements: UInt16 = 6666
    /// UDP: announcements of the new process.
    package var announcements: UInt16 = 6667
    /// UDP: credentials of the old process.
    package var credentials: UInt16 = 6669
    /// TCP: the channel of both processes.
    package var channel: UInt16 = 6668
    /// TCP: the channel of devices with a code.
    package var pinChannel: UInt16 = 7001
    /// TCP: paired devices on the home's network.
    package var lan: UInt16 = 6668
    /// Where datagrams with credentials go besides the device itself; nil: nowhere.
    package var broadcast: String? = "255.255.255.255"
    /// The device's address where the radio does not know it; nil: the first address of the network.
    package var device: String?

    /// The vendor's.
    package init() {}

    init(_ reader: inout ConfigReader) {
        self.init()
        func port(_ key: String, _ path: WritableKeyPath<PairingPorts, UInt16>) {
            if let number = reader.integer(key, 1...65_535) { self[keyPath: path] = UInt16(number) }
        }
        port("old_announcements", \.oldAnnouncements)
        port("announcements", \.announcements)
        port("credentials", \.credentials)
        port("channel", \.channel)
        port("pin_channel", \.pinChannel)
        port("lan", \.lan)
        if let text = reader.text("broadcast") { broadcast = text == "none" ? nil : text }
        device = reader.text("device")
        reader.refuseOtherKeys()
    }
}
