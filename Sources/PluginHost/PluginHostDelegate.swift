package import DeviceInterface
package import EventLoop
package import HomeModel
package import JSON

/// What the plugin host needs of the rest of the gateway.
@Loop
package protocol PluginHostDelegate: AnyObject {
    /// A plugin's section of the configuration and its devices, asked at each of its starts.
    func setup(of plugin: PluginID) async throws(CommandError) -> PluginSetup

    /// What a plugin's process may use, asked at each of its starts.
    func limits(of plugin: PluginID) -> ProcessLimits

    /// Where a plugin reports; asked once for each plugin.
    func host(of plugin: PluginID) -> any AdapterHost

    /// A plugin's state, version or process is another.
    func pluginChanged(_ status: PluginStatus)

    /// A plugin's process is gone; all its devices are out of reach.
    func pluginWentDown(_ plugin: PluginID)
}

extension PluginHostDelegate {
    package func limits(of plugin: PluginID) -> ProcessLimits { ProcessLimits() }
}

/// What a plugin gets at its start, as far as the host does not know it itself.
package struct PluginSetup: Sendable {
    /// The plugin's section of the configuration, secrets included.
    package var config: JSON
    /// The devices that the gateway knows of it.
    package var devices: [KnownDevice]
    /// Secrets that the plugin stored for itself.
    package var secrets: Secrets

    package init(config: JSON, devices: [KnownDevice] = [], secrets: Secrets = Secrets()) {
        self.config = config
        self.devices = devices
        self.secrets = secrets
    }
}
