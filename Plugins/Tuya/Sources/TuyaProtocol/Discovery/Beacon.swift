package import JSON

/// What a discovery datagram says.
///
/// Nothing in it is secret or authentic.
package struct Beacon: Equatable, Sendable {
    /// How the datagram was framed.
    package enum Framing: String, Sendable {
        case classic = "55aa"
        case sealed = "6699"
        /// Cipher blocks without any frame.
        case bare
    }

    package let framing: Framing
    /// `nil` for a bare datagram.
    package let command: Command?
    /// All fields as they came, also those that nobody knows.
    package let fields: JSONObject

    /// Describes a datagram.
    package init(framing: Framing, command: Command?, fields: JSONObject) {
        self.framing = framing
        self.command = command
        self.fields = fields
    }

    /// The device's id; the uuid while it is not paired.
    package var gatewayID: String? { nonEmpty("gwId") }
    /// The id printed into the device at the factory; only some datagrams tell it.
    package var uuid: String? { nonEmpty("uuid") }
    /// The device's own idea of its address; the datagram's source is what counts.
    package var address: String? { nonEmpty("ip") }
    package var productKey: String? { nonEmpty("productKey") }
    /// The LAN protocol that the device speaks.
    package var version: ProtocolVersion? {
        switch fields["version"] {
        case .string(let text)? where !text.isEmpty: ProtocolVersion(text: text)
        case .double(let number)?: ProtocolVersion(text: "\(number)")
        default: nil
        }
    }
    /// Whether the device has been paired with an account.
    package var isActivated: Bool? { fields["active"]?.intValue.map { $0 == 2 } }
    /// 0 … 3; told by 3.5 devices.
    package var securityLevel: Int? { fields["sl"]?.intValue }
    /// Whether the device is in its own hotspot and can be paired the new way.
    package var offersHotspotPairing: Bool { fields["apConfigType"] != nil }

    private func nonEmpty(_ key: String) -> String? {
        guard let text = fields[key]?.stringValue, !text.isEmpty else { return nil }
        return text
    }
}
