/// How the radio is moved.
package struct WiFiOptions: Sendable {
    /// Which way.
    package enum Way: String, Sendable, CaseIterable {
        /// The first that works here: a command where there is one, NetworkManager, wpa_supplicant, by hand.
        case auto
        case networkManager = "networkmanager"
        case supplicant = "wpa_supplicant"
        case command
        case manual
    }

    /// Which way.
    package var way: Way
    /// The radio's interface; nil for the first there is.
    package var interface: String?
    /// The operator's own program and its first arguments.
    package var command: [String]
    /// The interface that leads home while the radio is away; nil for that of the default route.
    package var homeInterface: String?
    /// How long joining, and each try to come back, may take.
    package var timeout: Duration
    /// The folder that the journal is kept in.
    package var directory: String
    /// Where programs are looked for.
    package var searchPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    /// More of the environment of each program.
    package var environment: [String: String] = [:]
    /// How long wpa_supplicant takes to scan; it does not say when it is done.
    package var scanTime = Duration.seconds(4)
    /// How long somebody else may take to give an interface an address before a DHCP client is run.
    package var leasePatience = Duration.seconds(4)
    /// How often a joined network is looked after.
    package var watchInterval = Duration.seconds(1)
    /// How long to wait between tries to come back; the last again and again.
    package var retryDelays: [Duration] = [1, 2, 5, 10, 30, 60].map { .seconds($0) }

    /// Makes options.
    package init(
        way: Way = .auto,
        interface: String? = nil,
        command: [String] = [],
        homeInterface: String? = nil,
        timeout: Duration = .seconds(30),
        directory: String
    ) {
        self.way = way
        self.interface = interface
        self.command = command
        self.homeInterface = homeInterface
        self.timeout = timeout
        self.directory = directory
    }
}
