import HomeModel

/// A list of networks as sessions get it.
enum ScanList {
    /// Strongest first; access points of one name are one entry, secured where any of them is.
    ///
    /// The entry is the strongest access point of 2.4 GHz, where there is one, since that decides whether a device can use
    /// the network; else the strongest.
    static func merged(_ sightings: [WiFiSighting]) -> [WiFiSighting] {
        // Swift takes canonically equivalent names for equal, radios do not.
        var found: [[UInt8]: WiFiSighting] = [:]
        for sighting in sightings where (1...32).contains(sighting.ssid.utf8.count) {
            let key = Array(sighting.ssid.utf8)
            guard let other = found[key] else {
                found[key] = sighting
                continue
            }
            var better = isBetter(sighting, than: other) ? sighting : other
            better.isSecured = sighting.isSecured || other.isSecured
            found[key] = better
        }
        return found.values.sorted { one, other in
            one.strength == other.strength ? one.ssid < other.ssid : one.strength > other.strength
        }
    }

    private static func isBetter(_ one: WiFiSighting, than other: WiFiSighting) -> Bool {
        let bands = (one.is2GHz == true, other.is2GHz == true)
        return bands.0 == bands.1 ? one.strength > other.strength : bands.0
    }
}

extension WiFiSighting {
    fileprivate var strength: Int { signal ?? Int.min }
}
