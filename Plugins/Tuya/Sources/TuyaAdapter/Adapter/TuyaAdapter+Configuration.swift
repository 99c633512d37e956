package import DeviceInterface
import EventLoop
package import HomeModel
import JSON

extension TuyaAdapter {
    package func configure(_ change: ConfigurationChange) async throws(CommandError) -> ConfigurationResult {
        guard let house else { throw CommandError(.internal, "configure comes after initialize.") }
        if let options = change.options, let device = change.device { try setOptions(options, of: device) }
        if let json = change.config {
            let new = try TuyaConfig(json: json)
            let before = config
            config = new
            if phase == .running { await apply(new, before, house) }
            // Times are shared by all sessions from their start on.
            return ConfigurationResult(needsRestart: new.times != before.times)
        }
        return ConfigurationResult(needsRestart: false)
    }

    private func setOptions(_ options: JSONObject, of id: VendorID) throws(CommandError) {
        guard config.device(id.text) == nil else {
            throw CommandError(
                .conflict,
                "The device stands in the configuration.",
                hint: "Change it under plugins.tuya.devices and reload the plugin."
            )
        }
        guard var device = known[id.text] else { throw Self.unknown(id) }
        let parts = DeviceSettings.KnownParts(id: id.text, options: options, secrets: device.secrets)
        // What pairing found out is put beside it only where it is right by itself.
        _ = try DeviceSettings(known: parts)
        device.options = options
        known[id.text] = device
        if phase == .running { replace(SharedSettings(settings(of: device)), isConfigured: false) }
    }

    private func apply(_ new: TuyaConfig, _ before: TuyaConfig, _ house: TuyaHouse) async {
        let configured = config.ids
        let wanted = wantedDevices(besides: configured)
        let ids = Set(wanted.map(\.settings.id))
        for device in Array(devices.values) where !ids.contains(device.id.text) { drop(device) }
        for shared in wanted {
            let present = devices[VendorID(shared.settings.id)]
            let isConfigured = configured.contains(shared.settings.id)
            guard present?.settings != shared.settings || present?.isConfigured != isConfigured else { continue }
            replace(shared, isConfigured: isConfigured)
        }
        if new.accounts != before.accounts { desk?.configured(new.accounts.first) }
        if new.discovery != before.discovery {
            discovery?.stop()
            discovery = nil
            startDiscovery()
        }
        await reportGhosts(to: house.host)
    }

    /// Puts a device with new settings in the place of the one with the same id, if there is one.
    private func replace(_ shared: SharedSettings, isConfigured: Bool) {
        let settings = shared.settings
        let before = devices[VendorID(settings.id)]
        if let before { drop(before) }
        add(shared, isConfigured: isConfigured, learned: before?.learned)
        guard let device = devices[VendorID(settings.id)] else { return }
        if let line = device.line {
            line.start(spread: .zero)
        } else if let line = line(of: device) {
            line.introduce(device)
        } else {
            tellHubless(device)
        }
    }
}
