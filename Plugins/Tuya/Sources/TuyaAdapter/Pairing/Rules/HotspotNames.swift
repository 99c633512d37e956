package import HomeModel

/// Tells devices' hotspots from other networks by their names: a brand's prefix and the last two bytes of the MAC address.
package struct HotspotNames: Sendable, Equatable {
    /// How sure a name is.
    package enum Match: Int, Sendable, Comparable {
        /// No device's hotspot.
        case no
        /// Open and named as hotspots are, under a brand that nobody has written down.
        case perhaps
        case surely

        package static func < (one: Match, other: Match) -> Bool { one.rawValue < other.rawValue }
    }

    /// The prefixes that are known.
    ///
    /// - Source: `SmartLife-` with the last two bytes of the MAC address in upper-case hex: the open device SDK. All others
    ///   were seen: `SL-` and the brands in tuya-cloudcutter/tuya-cloudcutter, threads 183 and 704, whose own rule is any
    ///   name that ends in `-` and four hex digits; `SmartHome-` in ct-Open-Source/tuya-convert, thread 451, `SmartLife ` in
    ///   its thread 273; `SmartLife_` in razorRun/node-red-contrib-smartlifeair, thread 32. Other makers' devices, such as
    ///   vacuum cleaners, use the same form, so that an unknown brand only may be one (thread 704).
    package static let known = [
        "SmartLife-", "SmartLife_", "SmartLife ", "SmartHome-", "SL-", "TreatLife-SL-", "A-", "Geeni-", "GRID-",
        "iHome-",
        "LDV SMART+-", "Merkury-", "Nexxt Home-",
    ]

    /// Prefixes that the operator adds.
    package var others: [String] = []

    /// The known names, and `others`.
    package init(others: [String] = []) { self.others = others }

    /// What a network is by its name; hotspots are open.
    package func match(_ network: WiFiSighting) -> Match {
        guard !network.isSecured else { return .no }
        let name = Array(network.ssid.utf8)
        if (Self.known + others).contains(where: { Self.fits(name, prefix: Array($0.utf8)) }) { return .surely }
        return Self.endsLikeAHotspot(name) ? .perhaps : .no
    }

    /// The hotspots among the networks, the surest first, then the strongest; each name once.
    package func hotspots(in networks: [WiFiSighting]) -> [(network: WiFiSighting, match: Match)] {
        var seen: Set<String> = []
        return networks.map { (network: $0, match: match($0)) }
            .filter { $0.match != .no }
            .sorted { one, other in
                if one.match != other.match { return one.match > other.match }
                return (one.network.signal ?? -100) > (other.network.signal ?? -100)
            }
            .filter { seen.insert($0.network.ssid).inserted }
    }

    private static func fits(_ name: [UInt8], prefix: [UInt8]) -> Bool {
        // Brands may stand between the prefix and the digits, as in SL-CreeLighting-1A2B.
        name.starts(with: prefix) && name.count > prefix.count && name.suffix(4).allSatisfy(isHex)
    }

    private static func endsLikeAHotspot(_ name: [UInt8]) -> Bool {
        guard name.count > 5, let mark = name.dropLast(4).last else { return false }
        return (mark == UInt8(ascii: "-") || mark == UInt8(ascii: "_")) && name.suffix(4).allSatisfy(isHex)
    }

    private static func isHex(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte)
    }
}
