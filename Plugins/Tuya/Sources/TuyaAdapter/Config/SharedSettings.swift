/// A device's settings, held once by everything that has to do with the device.
package final class SharedSettings: Sendable {
    package let settings: DeviceSettings

    package init(_ settings: DeviceSettings) { self.settings = settings }
}

extension SharedSettings: Equatable {
    package static func == (one: SharedSettings, other: SharedSettings) -> Bool { one.settings == other.settings }
}
