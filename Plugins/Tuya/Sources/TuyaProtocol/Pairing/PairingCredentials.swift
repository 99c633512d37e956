package import JSON

/// What a device needs to join the home's network and the account.
///
/// Source: protocol description, sections 6, 7.1 and 8.5.
package struct PairingCredentials: Equatable, Sendable {
    /// What cannot be sent.
    package enum Problem: Error, Equatable, Sendable {
        /// The network's name has this many bytes, where 1 … 32 are allowed.
        case ssidLength(Int)
        /// The password has this many bytes, where 0, 5, 13 or 8 … 64 are allowed.
        case passwordLength(Int)
    }

    package let ssid: String
    /// Empty for an open network.
    package let password: String
    package let token: PairingToken?
    /// The security configuration, where there is one.
    package let registration: JSONObject?

    /// Describes a network.
    package init(
        ssid: String,
        password: String,
        token: PairingToken?,
        registration: JSONObject? = nil
    ) throws(Problem) {
        guard (1...32).contains(ssid.utf8.count) else { throw .ssidLength(ssid.utf8.count) }
        let count = password.utf8.count
        guard count == 0 || count == 5 || (8...64).contains(count) else { throw .passwordLength(count) }
        self.ssid = ssid
        self.password = password
        self.token = token
        self.registration = registration
    }

    /// The JSON that is sent.
    package var body: [UInt8] {
        var object: JSONObject = ["ssid": .string(ssid), "passwd": .string(password)]
        if let token { object["token"] = .string(token.text) }
        if let registration, !registration.isEmpty { object["reg"] = .object(registration) }
        return JSON.object(object).serialized()
    }
}

extension PairingCredentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "<redacted credentials for \(ssid)>" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
