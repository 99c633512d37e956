/// How the gateway's radio is moved while a device is paired.
package struct WiFiSettings: Sendable, Equatable {
    /// The way to move it.
    package enum Way: String, Sendable, CaseIterable {
        case auto, networkmanager
        case wpaSupplicant = "wpa_supplicant"
        case command, manual, off
    }

    /// The way; ``Way/auto`` is the first that works.
    package var way = Way.auto
    /// The radio's interface; nil for the first there is.
    package var interface: String?
    /// The operator's own program and its first arguments.
    package var command: [String] = []
    /// The interface that leads home meanwhile; nil for that of the default route.
    package var homeInterface: String?
    /// How long joining a network, and going back, may take: 5 s to 5 min.
    package var timeout = Duration.seconds(30)

    package init() {}

    /// Reads the `wifi` section.
    init(_ section: inout SectionReader) {
        self.init()
        if let way = section.choice("way", Way.self) { self.way = way }
        interface = Self.interface(&section, "interface")
        if var command = section.texts("command") {
            // It runs in another folder; a name alone is looked for among the system's programs.
            if command[0].contains("/") { command[0] = section.sources.absolute(command[0]) }
            self.command = command
        }
        homeInterface = Self.interface(&section, "home_interface")
        if let timeout = section.duration("timeout", .seconds(5)...(.seconds(300))) { self.timeout = timeout }
        if way == .command, section.place("command") == nil {
            section.problem("needs command beside it", "way")
        }
        if way != .command, way != .auto, section.place("command") != nil {
            section.problem("is not used with way: \(way.rawValue)", "command")
        }
        if let interface, interface == homeInterface {
            section.problem("is the radio's own; another must lead home while it is away", "home_interface")
        }
        section.finish()
    }

    private static func interface(_ section: inout SectionReader, _ key: String) -> String? {
        // IFNAMSIZ, less the zero at its end.
        guard let name = section.text(key, upTo: 15) else { return nil }
        if name.utf8.contains(where: { $0 <= 0x20 || $0 == UInt8(ascii: "/") }) {
            section.problem("must be the name of an interface, such as wlan0", key)
        }
        return name
    }
}
