internal import JSON

/// What a device was told in its hotspot.
package struct HotspotCredentials: Sendable, Equatable {
    /// What became of the block of security configurations.
    package enum Registration: Sendable, Equatable {
        case none
        case taken
        /// Something that it needs is missing; devices log that and go on with what is built in.
        case ignored
    }

    package var ssid: String
    package var password: String
    /// 14 characters, or none at all.
    package var token: String
    package var registration: Registration

    package init(ssid: String, password: String, token: String, registration: Registration = .none) {
        self.ssid = ssid
        self.password = password
        self.token = token
        self.registration = registration
    }

    /// Reads a request as the vendor's open SDK does; nil for what it answers with -9.
    ///
    /// - Source: tuya-ap-plus.md sections 4.4 and 4.8.
    package init?(_ body: [UInt8], securityLevel: Int) {
        guard let json = try? JSON.parse(body), let ssid = json["ssid"]?.stringValue,
            (1...32).contains(ssid.utf8.count)
        else { return nil }
        let (password, token) = (json["passwd"]?.stringValue ?? "", json["token"]?.stringValue ?? "")
        guard password.utf8.count <= 64, token.utf8.count <= 16 else { return nil }
        self.init(ssid: ssid, password: password, token: token)
        guard let block = json["reg"]?.objectValue else { return }
        var isWhole = block["pub"]?.intValue != nil && block["url0"]?.stringValue != nil
        if securityLevel >= 1 {
            let authority = block["ca"]?.stringValue ?? ""
            isWhole = isWhole && block["url\(securityLevel)"]?.stringValue != nil && authority.hasPrefix("-----BEGIN")
        }
        registration = isWhole ? .taken : .ignored
    }
}
