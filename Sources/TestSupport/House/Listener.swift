package import DeviceInterface
package import EventLoop
package import HomeModel
package import Hub
import JSON
import Log

/// Writes down what a door is told.
@Loop
package final class Listener: HubObserver {
    package var lines: [String] = []
    /// Changes with each line about a pairing session.
    package let fact = Fact()
    package func stateChanged(_ device: Device) {
        lines.append("state \(device.id) \(JSON.object(device.stateJSON).text)")
    }
    package func connectivityChanged(_ device: Device) {
        lines.append("connectivity \(device.id) \(device.connectivity.reason?.rawValue ?? "online")")
    }
    package func deviceChanged(_ device: Device) { lines.append("device \(device.id) \(device.record.name)") }
    package func deviceRemoved(_ device: DeviceID) { lines.append("removed \(device)") }
    package func eventHappened(_ device: Device, _ event: EventReport) {
        lines.append("event \(device.id) \(event.event)")
    }
    package func homesChanged() { lines.append("homes") }
    package func pluginChanged(_ plugin: PluginID) { lines.append("plugin \(plugin)") }
    package func pairingChanged(_ pairing: Pairing) {
        lines.append("pairing \(JSON.object(pairing.payload).text)")
        fact.changed()
    }
    package func pairingForgotten(_ pairing: PairingID) {
        lines.append("forgotten \(pairing)")
        fact.changed()
    }
    package func happened(_ event: HubEvent) { lines.append("happened \(event.kind.rawValue)") }
}
