import EventLoop

/// All ways, and the choice among them.
@Loop
final class WiFiWays {
    private let options: WiFiOptions
    private let networkManager: NetworkManagerWay
    private let supplicant: SupplicantWay
    private let command: CommandWay
    private let manual: ManualWay
    /// The way that was found to work; the one by hand is no finding, since others may come up later.
    private var found: (any WiFiWay)?
    private(set) var name: String
    /// Why it is this way, for a person.
    private(set) var reason: String

    init(_ options: WiFiOptions) {
        self.options = options
        networkManager = NetworkManagerWay(options)
        supplicant = SupplicantWay(options)
        command = CommandWay(options)
        manual = ManualWay(options)
        name = options.way.rawValue
        reason = options.way == .auto ? "nobody has looked yet" : "the configuration says so"
    }

    /// The way to use.
    func chosen() async throws(WiFiError) -> any WiFiWay {
        if options.way != .auto, let way = way(named: options.way.rawValue) { return way }
        if let found { return found }
        if !options.command.isEmpty { return choose(command, "wifi.command is given") }
        if await networkManager.isUsable() { return choose(networkManager, "NetworkManager manages the radio") }
        if await supplicant.isUsable() { return choose(supplicant, "wpa_supplicant answers for the radio") }
        name = manual.name
        reason = "neither NetworkManager nor wpa_supplicant has a radio here"
        return manual
    }

    /// A way by its name; nil for one that is not available.
    func way(named name: String) -> (any WiFiWay)? {
        switch WiFiOptions.Way(rawValue: name) {
        case .networkManager: networkManager
        case .supplicant: supplicant
        case .command: options.command.isEmpty ? nil : command
        case .manual: manual
        case .auto, nil: nil
        }
    }

    private func choose(_ way: any WiFiWay, _ reason: String) -> any WiFiWay {
        found = way
        name = way.name
        self.reason = reason
        return way
    }
}
