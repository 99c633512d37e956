package import DeviceInterface
package import EventLoop
package import HomeModel
package import Hub
package import JSON
import Log

@Loop
package final class FakePlugins: PluginDirectory {
    package var adapters: [PluginID: any DeviceAdapter] = [:]
    package var summaries: [PluginSummary] = []
    package var reloaded: [PluginID] = []
    package var methods: [PluginID: [PairingMethod]] = [:]
    package func pairingMethods(of plugin: PluginID) -> [PairingMethod] { methods[plugin] ?? [] }
    package func adapter(for plugin: PluginID) -> (any DeviceAdapter)? { adapters[plugin] }
    package func reload(_ plugin: PluginID) async throws(CommandError) { reloaded.append(plugin) }
    package func recording(of plugin: PluginID, limit: Int) throws(CommandError) -> [JSON] { [] }
}
