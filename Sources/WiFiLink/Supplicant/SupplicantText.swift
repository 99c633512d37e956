import HomeModel

/// What `wpa_cli` writes.
enum SupplicantText {
    /// A line of `list_networks`.
    struct Network: Equatable {
        var id: String
        /// nil for a name that is no UTF-8.
        var ssid: String?
        var flags: String

        var isCurrent: Bool { flags.contains("[CURRENT]") }
        var isEnabled: Bool { !flags.contains("[DISABLED]") }
        /// Whether the supplicant pauses after failures, of which a wrong password is the usual one.
        var isPaused: Bool { flags.contains("[TEMP-DISABLED]") }
    }

    /// A line of `scan_results`.
    struct Entry: Equatable {
        var sighting: WiFiSighting
        /// Whether WPA3 alone gets in.
        var isSAEOnly: Bool
    }

    /// The values of `status`: one `key=value` a line.
    static func status(_ text: String) -> [String: String] {
        var values: [String: String] = [:]
        for line in text.split(separator: "\n") {
            guard let mark = line.firstIndex(of: "=") else { continue }
            values[String(line[..<mark])] = String(line[line.index(after: mark)...])
        }
        return values
    }

    /// The lines of `list_networks`: number, name, access point and flags, separated by tabs.
    static func networks(_ text: String) -> [Network] {
        rows(text).compactMap { row in
            guard row.count >= 3, Int(row[0]) != nil else { return nil }
            return Network(id: row[0], ssid: HexName.text(unescaped(row[1])), flags: row.count > 3 ? row[3] : "")
        }
    }

    /// The lines of `scan_results`: access point, MHz, dBm, flags and name, separated by tabs; without those whose name is
    /// hidden or no UTF-8.
    static func scanResults(_ text: String) -> [Entry] {
        rows(text).compactMap { row in
            guard row.count == 5, row[0].utf8.count == 17, let ssid = HexName.text(unescaped(row[4])) else {
                return nil
            }
            let flags = row[3]
            let sighting = WiFiSighting(
                ssid: ssid,
                bssid: row[0].lowercased(),
                signal: Int(row[2]).flatMap { $0 < 0 ? $0 : nil },
                frequency: Int(row[1]),
                isSecured: ["WPA", "WEP", "SAE", "RSN"].contains { flags.contains($0) }
            )
            return Entry(sighting: sighting, isSAEOnly: flags.contains("SAE") && !flags.contains("PSK"))
        }
    }

    /// The bytes of a name as `printf_encode` of wpa_supplicant writes it: `\"`, `\\`, `\e`, `\n`, `\r`, `\t`, `\xNN`.
    static func unescaped(_ text: String) -> [UInt8] {
        let input = Array(text.utf8)
        var bytes: [UInt8] = []
        var offset = 0
        while offset < input.count {
            let byte = input[offset]
            offset += 1
            guard byte == UInt8(ascii: "\\"), offset < input.count else {
                bytes.append(byte)
                continue
            }
            let escape = input[offset]
            offset += 1
            switch escape {
            case UInt8(ascii: "e"): bytes.append(0x1B)
            case UInt8(ascii: "n"): bytes.append(0x0A)
            case UInt8(ascii: "r"): bytes.append(0x0D)
            case UInt8(ascii: "t"): bytes.append(0x09)
            case UInt8(ascii: "x"):
                guard offset + 1 < input.count, let high = HexName.value(input[offset]),
                    let low = HexName.value(input[offset + 1])
                else { continue }
                bytes.append(high << 4 | low)
                offset += 2
            default: bytes.append(escape)
            }
        }
        return bytes
    }

    private static func rows(_ text: String) -> [[String]] {
        text.split(separator: "\n").map { line in
            line.split(separator: "\t", omittingEmptySubsequences: false).map { String($0) }
        }
    }
}
