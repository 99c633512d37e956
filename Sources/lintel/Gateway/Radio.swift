import Config
import EventLoop
import Log
import WiFiLink

/// The gateway's radio, as the configuration wants it.
@Loop
enum Radio {
    /// How long the start waits for a radio that has to be brought back.
    static let patience = Duration.seconds(10)

    /// Makes the link; it must be held as long as the radio may be away.
    static func make(_ configuration: Configuration, log: Log) -> WiFiLink {
        let settings = configuration.wifi
        var options = WiFiOptions(
            way: way(settings.way),
            interface: settings.interface,
            command: settings.command,
            homeInterface: settings.homeInterface,
            timeout: settings.timeout,
            directory: configuration.dataDirectory
        )
        // Where the system's bus is not at its usual place.
        let bus = "DBUS_SYSTEM_BUS_ADDRESS"
        options.environment[bus] = ProcessEnvironment.all[bus]
        return WiFiLink(options, log: log)
    }

    private static func way(_ way: WiFiSettings.Way) -> WiFiOptions.Way {
        switch way {
        // Switched off, it still comes back from where it was before.
        case .auto, .off: .auto
        case .networkmanager: .networkManager
        case .wpaSupplicant: .supplicant
        case .command: .command
        case .manual: .manual
        }
    }
}
