package import DeviceInterface
package import EventLoop
package import HomeModel
package import JSON

/// What a door learns of.
@Loop
package protocol HubObserver: AnyObject {
    /// A device's state changed, or somebody asked for it.
    func stateChanged(_ device: Device)
    /// A device came or went.
    func connectivityChanged(_ device: Device)
    /// A device was added, or its description, name, home or room changed.
    func deviceChanged(_ device: Device)
    /// A device is gone.
    func deviceRemoved(_ device: DeviceID)
    /// Something happened at a device.
    func eventHappened(_ device: Device, _ event: EventReport)
    /// Homes or rooms changed.
    func homesChanged()
    /// A plugin's state changed.
    func pluginChanged(_ plugin: PluginID)
    /// A pairing session went on, asks for something, or ended.
    func pairingChanged(_ pairing: Pairing)
    /// A pairing session that has ended is not shown any longer.
    func pairingForgotten(_ pairing: PairingID)
    /// Something happened in the gateway.
    func happened(_ event: HubEvent)
}

/// Something that happened in the gateway, for people and automations.
package struct HubEvent: Sendable, Equatable {
    /// The kinds of events.
    package enum Kind: String, Sendable {
        case deviceAdded = "device_added"
        case deviceRemoved = "device_removed"
        case deviceRenamed = "device_renamed"
        case deviceMoved = "device_moved"
        case keyChanged = "key_changed"
        case pairingSucceeded = "pairing_succeeded"
        case pairingFailed = "pairing_failed"
        case pluginStarted = "plugin_started"
        case pluginCrashed = "plugin_crashed"
        case pluginQuarantined = "plugin_quarantined"
    }

    package var kind: Kind
    package var at: Timestamp
    package var data: JSONObject

    package init(_ kind: Kind, at: Timestamp, data: JSONObject) {
        self.kind = kind
        self.at = at
        self.data = data
    }

    /// `{"type","at","data"}`.
    package var json: JSON { ["type": .string(kind.rawValue), "at": .string(at.description), "data": .object(data)] }
}
