import HomeModel

/// What `nmcli -t -f SSID-HEX,BSSID,FREQ,SIGNAL,SECURITY device wifi list` writes.
enum NetworkManagerScan {
    /// The fields to ask for; the name in hexadecimal, since the plain one shows what is no UTF-8 as something else.
    static let fields = "SSID-HEX,BSSID,FREQ,SIGNAL,SECURITY"

    /// An access point.
    struct Entry: Equatable {
        var sighting: WiFiSighting
        /// Whether WPA3 alone gets in.
        var isSAEOnly: Bool
    }

    /// The access points with a name that is UTF-8.
    static func parse(_ text: String) -> [Entry] {
        TerseText.records(text).compactMap { fields in
            guard fields.count == 5, let ssid = HexName.text(fields[0]) else { return nil }
            let security = fields[4].split(separator: " ")
            let sighting = WiFiSighting(
                ssid: ssid,
                bssid: fields[1].isEmpty ? nil : fields[1].lowercased(),
                signal: Int(fields[3]).map(signal),
                frequency: fields[2].split(separator: " ").first.flatMap { Int($0) },
                isSecured: !security.isEmpty && security != ["--"]
            )
            let isSAEOnly = security.contains("WPA3") && !security.contains { $0 == "WPA1" || $0 == "WPA2" }
            return Entry(sighting: sighting, isSAEOnly: isSAEOnly)
        }
    }

    /// NetworkManager shows -100 to -40 dBm as 0 to 100 %, cut off beyond; this is the way back.
    private static func signal(percent: Int) -> Int {
        -100 + (min(max(percent, 0), 100) * 60 + 50) / 100
    }
}
