package import DeviceInterface
package import HomeModel
import JSON

/// What a person gave at the start of a pairing in a hotspot; all of it may be missing and is asked for when needed.
package struct HotspotOrder: Sendable, Equatable {
    package var session: PairingID
    package var method: TuyaPairingMethod
    /// The network that the device shall join.
    package var ssid: String?
    /// Empty for an open network.
    package var password: String?
    /// The name of the device's hotspot.
    package var hotspot: String?
    /// The code that is printed on the device.
    package var pincode: String?
    /// The factory's id; devices tell it themselves.
    package var uuid: String?
    /// A token from elsewhere, as text.
    package var token: String?
    /// From the first credentials sent until the device must be paired.
    package var limit: Duration?
    /// Whether an account with the vendor's cloud is there to ask.
    package var hasCloud: Bool

    /// An order with nothing given.
    package init(session: PairingID, method: TuyaPairingMethod, hasCloud: Bool) {
        self.session = session
        self.method = method
        self.hasCloud = hasCloud
    }

    /// Reads what was given.
    ///
    /// - Throws: `bad_request` for a member that is of another type, or a time out of 1 to 600 seconds.
    package init(_ start: PairingStart, method: TuyaPairingMethod, hasCloud: Bool) throws(CommandError) {
        self.init(session: start.session, method: method, hasCloud: hasCloud)
        ssid = try Self.text("ssid", start.input)
        password = try Self.text("password", start.input)
        hotspot = try Self.text("hotspot", start.input)
        pincode = try Self.text("pincode", start.input)
        uuid = try Self.text("uuid", start.input)
        token = try Self.text("token", start.input)
        if let value = start.input["timeout"], !value.isNull {
            guard let seconds = value.intValue, (1...600).contains(seconds) else {
                throw CommandError(.badRequest, "\"timeout\" must be 1 to 600 seconds.")
            }
            limit = .seconds(seconds)
        }
    }

    private static func text(_ name: String, _ input: JSONObject) throws(CommandError) -> String? {
        guard let value = input[name], !value.isNull else { return nil }
        guard let text = value.stringValue else { throw CommandError(.badRequest, "\"\(name)\" must be text.") }
        // A form's empty line is no answer; an empty password is one.
        return text.isEmpty && name != "password" ? nil : text
    }
}
