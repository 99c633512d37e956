/// The command number of a frame.
///
/// Source: protocol description, section 4. The numbers are those of the vendor's device SDK.
package struct Command: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt32

    /// Any number; devices send some that we do not know.
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Announcement of 3.1 devices on UDP 6666, in clear.
    package static let clearAnnouncement = Command(rawValue: 0x00)
    /// Credentials of the legacy hotspot pairing.
    package static let legacyCredentials = Command(rawValue: 0x01)
    /// Second part of the credentials, for old firmware that takes them over TCP.
    package static let legacyToken = Command(rawValue: 0x02)
    /// First step of the key negotiation: the client's nonce.
    package static let negotiationStart = Command(rawValue: 0x03)
    /// Second step of the key negotiation: the device's nonce and proof.
    package static let negotiationAnswer = Command(rawValue: 0x04)
    /// Last step of the key negotiation: the client's proof; not answered.
    package static let negotiationFinish = Command(rawValue: 0x05)
    /// Sets data points, up to 3.3.
    package static let control = Command(rawValue: 0x07)
    /// Report of changed data points, from the device.
    package static let report = Command(rawValue: 0x08)
    package static let heartbeat = Command(rawValue: 0x09)
    /// Asks for all data points, up to 3.3.
    package static let query = Command(rawValue: 0x0A)
    /// Sets data points from 3.4 on; asks for them in the device22 dialect.
    package static let controlNew = Command(rawValue: 0x0D)
    /// Asks for all data points from 3.4 on.
    package static let queryNew = Command(rawValue: 0x10)
    /// Announcement of a device in its own hotspot, UDP 6667.
    package static let hotspotAnnouncement = Command(rawValue: 0x11)
    /// Asks the device to measure and report given data points.
    package static let refresh = Command(rawValue: 0x12)
    /// Encrypted announcement.
    package static let announcement = Command(rawValue: 0x13)
    /// Credentials of the AP+ pairing.
    package static let hotspotCredentials = Command(rawValue: 0x14)
    /// Requests of the AP+ pairing, told apart by `reqType`.
    package static let hotspotExtension = Command(rawValue: 0x1E)
    /// Announcement of 3.4 devices.
    package static let announcement34 = Command(rawValue: 0x23)
    /// Our question "who is there", UDP 7000.
    package static let discoveryRequest = Command(rawValue: 0x25)
    /// Extended JSON requests, such as the list of sub-devices.
    package static let extended = Command(rawValue: 0x40)

    /// Whether a client writes the version header in front of this command's body.
    var carriesVersionHeader: Bool {
        switch self {
        case .negotiationStart, .negotiationAnswer, .negotiationFinish, .heartbeat, .query, .queryNew, .refresh,
            .extended:
            false
        default: true
        }
    }

    /// Whether an empty body goes out without the padding block that encryption would add.
    var leavesEmptyBodyEmpty: Bool {
        switch self {
        case .heartbeat, .control, .controlNew: true
        default: false
        }
    }
}

extension Command: CustomStringConvertible {
    package var description: String { "0x" + (rawValue < 16 ? "0" : "") + String(rawValue, radix: 16) }
}
