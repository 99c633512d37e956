package import JSON

/// The section `pairing` of the plugin's configuration.
package struct PairingSettings: Sendable, Equatable {
    /// The security configuration of the account, which devices of a cloud of its own want; empty: devices use what is
    /// built in.
    package var registration = JSONObject()
    /// Names of hotspots besides those of ``HotspotNames``, up to the last four digits.
    package var hotspotPrefixes: [String] = []
    package var ports = PairingPorts()
    package var times = PairingTimes()

    /// Everything as usual.
    package init() {}

    init(_ reader: inout ConfigReader) {
        hotspotPrefixes = reader.texts("hotspot_prefixes") ?? []
        if var part = reader.part("ports") {
            ports = PairingPorts(&part)
            reader.add(part)
        }
        if var part = reader.part("timing") {
            times = PairingTimes(&part)
            reader.add(part)
        }
        reader.refuseOtherKeys()
    }
}
