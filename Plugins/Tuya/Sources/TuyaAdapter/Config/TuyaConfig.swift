package import HomeModel
package import JSON

/// The plugin's section of the configuration.
package struct TuyaConfig: Sendable, Equatable {
    /// Devices that the operator wrote down, in the order of the file.
    package private(set) var shared: [SharedSettings] = []
    /// How devices are found.
    package var discovery = DiscoverySettings()
    /// Accounts of the vendor's cloud, for pairing only.
    package private(set) var accounts: [CloudAccount] = []
    /// How devices are paired.
    package var pairing = PairingSettings()
    /// Every time that is kept; `set_pause_ms` and `timing` change it.
    package var times = SessionTimes()

    /// No devices, everything else as usual.
    package init() {}

    /// Reads the section.
    ///
    /// - Parameter json: an object, or `null` for nothing but defaults.
    /// - Throws: `invalid_config` with every problem and its key path; no value of a secret is repeated in it.
    package init(json: JSON) throws(CommandError) {
        guard !json.isNull else { return }
        var reader = ConfigReader(json, at: "")
        if var part = reader.part("discovery") {
            discovery = DiscoverySettings(&part)
            reader.add(part)
        }
        if var part = reader.part("timing") {
            times = SessionTimes(&part)
            reader.add(part)
        }
        accounts = CloudAccount.accounts(&reader)
        if var part = reader.part("pairing") {
            pairing = PairingSettings(&part)
            reader.add(part)
        }
        if let pause = reader.milliseconds("set_pause_ms", 0...10_000) { times.setPause = pause }
        var ids: Set<String> = []
        for var part in reader.parts("devices") {
            if let device = DeviceSettings(&part) { add(device, among: &ids, &part) }
            reader.add(part)
        }
        checkHubs(reader.parts("devices"), &reader)
        reader.refuseOtherKeys()
        try reader.check()
    }

    /// Settings of the devices, in the order of the file.
    package var devices: [DeviceSettings] { shared.map(\.settings) }

    /// The device with an id.
    package func device(_ id: String) -> DeviceSettings? { shared.first { $0.settings.id == id }?.settings }

    /// The ids of the devices.
    package var ids: Set<String> { Set(shared.map(\.settings.id)) }

    private mutating func add(_ device: DeviceSettings, among ids: inout Set<String>, _ reader: inout ConfigReader) {
        if !ids.insert(device.id).inserted { reader.add("id", "is the id of another device in this list, too") }
        shared.append(SharedSettings(device))
    }

    /// A hub may be known to the gateway without standing in the configuration, so that only its own kind is checked.
    private func checkHubs(_ parts: [ConfigReader], _ reader: inout ConfigReader) {
        let carried = Set(shared.filter { $0.settings.hub != nil }.map(\.settings.id))
        for var part in parts {
            guard let hub = part.value("hub")?.stringValue else { continue }
            if part.value("id")?.stringValue == hub {
                reader.add("\(part.path).hub", "is the device itself")
            } else if carried.contains(hub) {
                reader.add("\(part.path).hub", "is a sub-device itself")
            }
        }
    }
}
