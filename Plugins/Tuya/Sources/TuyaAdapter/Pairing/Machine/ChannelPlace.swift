/// Where the channel to a device in its hotspot is opened.
package struct ChannelPlace: Equatable, Sendable {
    package var address: String
    package var interface: String
    /// The code printed on the device; the channel's key is made of it.
    package var pincode: String?

    package init(address: String, interface: String, pincode: String? = nil) {
        self.address = address
        self.interface = interface
        self.pincode = pincode
    }
}

/// Why a channel to a device broke, or did not come about.
package enum ChannelBreak: Error, Equatable, Sendable {
    /// Nobody listens there.
    case refused
    /// No answer, or no way.
    case unreachable
    /// The handshake failed because the two sides hold different keys.
    case wrongKey
    /// The handshake failed otherwise; `words` for the log.
    case handshake(String)
    /// It stood and is gone.
    case lost
}
