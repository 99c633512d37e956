import JSON

/// What a site of a pairing test is made of.
struct SitePlan {
    /// The device that waits to be paired, as `lintel-simulator hotspot` reads it; over what the site itself says.
    var device: JSONObject = [:]
    /// Lines below `plugins.tuya.pairing.timing:`.
    var timing: [String] = []
    /// The device's address in its hotspot: 192.168.175.1 in the old process, 192.168.176.1 in the new one.
    var hotspot = "192.168.176.1"
    /// Whether the gateway knows an account of the cloud.
    var hasAccount = true

    /// A device of the new process.
    static func plus(_ device: JSONObject = [:]) -> SitePlan { SitePlan(device: device) }

    /// A device of the old process.
    static func legacy(_ habit: String = "legacy-udp", _ device: JSONObject = [:]) -> SitePlan {
        var device = device
        device["habit"] = .string(habit)
        return SitePlan(device: device, hotspot: "192.168.175.1")
    }
}
