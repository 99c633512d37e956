/// Every method of protocol version 1.
public enum WireMethod: String, Sendable, CaseIterable {
    // Gateway to plugin, requests.
    /// Devices that the gateway knows, before `initialize`, where they are too many for one line.
    case initializeDevices = "initialize/devices"
    /// Versions, configuration, known devices; touches no network.
    case initialize
    /// Connect to the world.
    case start
    /// Leave the world.
    case stop
    /// Ask a device for its state.
    case read = "device/read"
    /// Change properties of a device.
    case write = "device/write"
    /// Have a device do something.
    case invoke = "device/invoke"
    /// Forget a device.
    case remove = "device/remove"
    /// Take a changed configuration.
    case configure
    /// Begin a pairing session.
    case pairingStart = "pairing/start"
    /// Take what a session asked for.
    case pairingAnswer = "pairing/answer"
    /// End a session.
    case pairingCancel = "pairing/cancel"
    /// Facts for a report, already redacted.
    case diagnostics
    /// Says only that the plugin still answers.
    case ping
    /// Stop, answer, and exit.
    case shutdown

    // Gateway to plugin, notifications.
    /// The network that a session joined is gone.
    case wifiLost = "wifi/lost"

    // Plugin to gateway, notifications.
    /// A device was found.
    case deviceAdded = "device/added"
    /// A device's description changed.
    case deviceChanged = "device/changed"
    /// A device is gone for good.
    case deviceRemoved = "device/removed"
    /// A device said what its state is.
    case deviceState = "device/state"
    /// Something happened at a device.
    case deviceEvent = "device/event"
    /// A device came or went.
    case deviceConnectivity = "device/connectivity"
    /// A pairing session went on, asks for something, or ended.
    case pairingProgress = "pairing/progress"
    /// How the plugin is.
    case status = "plugin/status"
    /// A record for the gateway's log.
    case log

    // Plugin to gateway, requests.
    /// Keep a secret.
    case secretStore = "secret/store"
    /// Read a kept value.
    case storeGet = "store/get"
    /// Keep a value.
    case storeSet = "store/set"
    /// Say which networks the gateway's radio sees.
    case wifiScan = "wifi/scan"
    /// Move the gateway's radio to a network.
    case wifiJoin = "wifi/join"
    /// Move it back to where it was.
    case wifiLeave = "wifi/leave"

    // Either way, notification.
    /// The asker no longer wants the answer.
    case cancel = "$/cancel"
}
