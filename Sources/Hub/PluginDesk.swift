package import DeviceInterface
package import EventLoop
package import HomeModel
package import JSON
import Log

/// Where one plugin reports: the hub's side of ``AdapterHost``.
@Loop
package final class PluginDesk: AdapterHost {
    let plugin: PluginID
    unowned let hub: Hub
    /// Secrets of the plugin that belong to no device.
    var secrets = Secrets()
    /// This plugin's devices, by its own ids.
    var devices: [VendorID: Device] = [:]
    /// What was reported of devices whose description has not come yet is an error of the plugin; it is logged once each.
    private var strangers: Set<VendorID> = []

    init(plugin: PluginID, hub: Hub) {
        self.plugin = plugin
        self.hub = hub
    }

    package func deviceDescribed(_ description: DeviceDescription, secrets: Secrets?) {
        hub.describe(description, secrets: secrets, plugin: plugin)
    }

    package func deviceRemoved(_ vendorID: VendorID) {
        guard let device = devices[vendorID] else { return }
        hub.forget(device) { [log = hub.log] failure in
            if let failure { log.error("a removed device stays in the registry", ["reason": "\(failure.message)"]) }
        }
    }

    package func deviceReported(_ report: StateReport) {
        guard let device = known(report.device) else { return }
        hub.merge(report.state, at: report.at, into: device)
    }

    package func deviceEvent(_ event: EventReport) {
        guard let device = known(event.device) else { return }
        device.lastSeen = event.at
        guard device.description.event(event.event) != nil else {
            hub.log.debug("a device sent an event that its description lacks", ["event": "\(event.event)"])
            return
        }
        hub.tell { $0.eventHappened(device, event) }
    }

    package func deviceConnectivity(_ vendorID: VendorID, _ connectivity: Connectivity) {
        guard let device = known(vendorID) else { return }
        hub.set(connectivity, of: device)
    }

    package func statusChanged(_ status: AdapterStatus) {
        hub.tell { $0.pluginChanged(plugin) }
    }

    package func log(_ record: AdapterLogRecord) {
        let record = hub.pairings.redacted(record, of: plugin)
        let metadata = LogMetadata(record.metadata.merging(["plugin": plugin.text]) { $1 })
        hub.log.forward(LogLevel(rawValue: record.level) ?? .info, record.message, metadata)
    }

    package func storeSecret(_ value: String, name: String, device vendorID: VendorID?) async throws(CommandError) {
        let secrets = Secrets([name: value])
        guard let vendorID else {
            try await hub.commits.commit([.putPluginSecrets(secrets, plugin: plugin)])
            self.secrets = self.secrets.merging(secrets)
            return
        }
        guard let device = devices[vendorID] else {
            throw CommandError(.deviceNotFound, "No such device to keep a secret of.")
        }
        try await hub.commits.commit([.putSecrets(secrets, device: device.id)])
        device.secrets = device.secrets.merging(secrets)
    }

    package func storedValue(key: String) async throws(CommandError) -> JSON? {
        try await hub.store.value(plugin: plugin, key: key)
    }

    package func storeValue(_ value: JSON?, key: String) async throws(CommandError) {
        guard !key.isEmpty, key.utf8.count <= 256 else {
            throw CommandError(.badRequest, "A key has 1 to 256 bytes.")
        }
        guard (value?.serialized().count ?? 0) <= 65_536 else {
            throw CommandError(.tooLarge, "A stored value has at most 64 KiB.")
        }
        try await hub.commits.commit([.putValue(value, plugin: plugin, key: key)])
    }

    /// The plugin went down: all its devices are unreachable, each told once.
    package func wentDown() {
        let down = Connectivity(isOnline: false, reason: .pluginDown, detail: "The plugin is not running.")
        hub.pairings.pluginWentDown(plugin)
        for device in devices.values where device.connectivity.reason != .pluginDown { hub.set(down, of: device) }
    }

    private func known(_ vendorID: VendorID) -> Device? {
        if let device = devices[vendorID] { return device }
        if strangers.insert(vendorID).inserted, strangers.count < 1000 {
            hub.log.warning("a plugin reported a device that it never described", ["plugin": "\(plugin.text)"])
        }
        return nil
    }
}
