internal import JSON

/// A network that a device sees.
package struct WiFiNetwork: Equatable, Sendable {
    package var ssid: String
    /// dBm, negative.
    package var signal: Int
    /// 0 open, 1 WEP, 2 WPA, 3 WPA2, 4 WPA/WPA2, 5 WPA/WPA3-SAE, 6 and more unknown.
    package var security: Int

    package var isSecured: Bool { security != 0 }

    /// Describes a network.
    package init(ssid: String, signal: Int, security: Int) {
        self.ssid = ssid
        self.signal = signal
        self.security = security
    }

    /// Reads a device's list, strongest first.
    ///
    /// Devices do not escape names, so that a quote in a neighbour's name breaks the JSON; then the entries are looked for
    /// one by one.
    ///
    /// - Parameter body: of the answer to ``HotspotRequest/listNetworks(limit:)``.
    /// - Returns: `nil` if the body is no list; an empty list is one.
    package static func list(_ body: [UInt8]) -> [WiFiNetwork]? {
        let networks: [WiFiNetwork]
        switch DeviceJSON.parse(body) {
        case let json?:
            guard json["reqType"]?.stringValue == "wifi_list_rpt", let list = json["data"]?["wifi_list"]?.arrayValue
            else {
                return nil
            }
            networks = list.compactMap { entry in
                guard let ssid = entry["ssid"]?.stringValue else { return nil }
                return WiFiNetwork(
                    ssid: ssid,
                    signal: entry["rssi"]?.intValue ?? -100,
                    security: entry["sec"]?.intValue ?? 6
                )
            }
        case nil:
            guard body.contains([UInt8](#""wifi_list_rpt""#.utf8)) else { return nil }
            networks = entries(in: body)
        }
        return networks.filter { !$0.ssid.isEmpty }.sorted { $0.signal > $1.signal }
    }

    /// The parts of the form `{"ssid":"…","rssi":n,"sec":n}`, where the name ends at `","rssi":`.
    private static func entries(in body: [UInt8]) -> [WiFiNetwork] {
        let (opening, middle, last) = (
            [UInt8](#"{"ssid":""#.utf8), [UInt8](#"","rssi":"#.utf8), [UInt8](#","sec":"#.utf8)
        )
        var networks: [WiFiNetwork] = []
        var rest = body[...]
        while let start = end(of: opening, in: rest) {
            rest = rest[start...]
            guard let nameEnd = end(of: middle, in: rest) else { break }
            let name = rest[..<(nameEnd - middle.count)]
            rest = rest[nameEnd...]
            guard let signal = number(&rest), rest.starts(with: last) else { continue }
            rest = rest.dropFirst(last.count)
            guard let security = number(&rest) else { continue }
            networks.append(
                WiFiNetwork(ssid: String(decoding: name, as: UTF8.self), signal: signal, security: security)
            )
        }
        return networks
    }

    /// Where the first occurrence of `part` ends.
    private static func end(of part: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= part.count else { return nil }
        for start in bytes.startIndex...(bytes.endIndex - part.count) where bytes[start] == part[0] {
            if bytes[start..<(start + part.count)].elementsEqual(part) { return start + part.count }
        }
        return nil
    }

    private static func number(_ bytes: inout ArraySlice<UInt8>) -> Int? {
        let digits = bytes.prefix { (0x30...0x39).contains($0) || $0 == 0x2D }
        bytes = bytes.dropFirst(digits.count)
        return Int(String(decoding: digits, as: UTF8.self))
    }
}
