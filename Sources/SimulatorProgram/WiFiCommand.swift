import EventLoop
import Glibc
import JSON
import Simulators

/// `lintel-simulator wifi`: a simulated radio, to be given as `wifi.command` of the gateway.
struct WiFiCommand {
    /// What the radio is asked for.
    private enum Verb {
        case scan, leave, status
        case join(ssid: String)
    }

    static let help = """
        Usage: lintel-simulator wifi --air DIR [--interface IF] [--configure] scan|join SSID|leave|status

        A simulated radio, for wifi.command of the gateway. Simulated devices put their hotspots into the folder DIR.
        join reads the passphrase from standard input, one line, empty for an open network.

          --air DIR        the folder with a file for each network on the air
          --interface IF   the radio's interface, instead of the one that a network names
          --configure      set the network's address on the interface (ip addr), as needed in network namespaces

        Exit status: 0 done, 2 network not found, 3 passphrase refused, 64 wrong usage, 1 anything else.
        """

    private var folder = ""
    private var interface: String?
    private var configures = false
    private let verb: Verb

    /// Reads the arguments behind `wifi`.
    init(_ arguments: [String]) throws(SimulatorOptions.Problem) {
        var rest = arguments[...]
        var words: [String] = []
        while let option = rest.popFirst() {
            switch option {
            // A network's name may begin with dashes.
            case _ where words == ["join"]: words.append(option)
            case "--configure": configures = true
            case "--air", "--interface":
                guard let value = rest.popFirst() else { throw Self.problem("\(option) needs a value") }
                if option == "--air" { folder = value } else { interface = value }
            default: words.append(option)
            }
        }
        guard !folder.isEmpty else { throw Self.problem("--air is missing") }
        switch (words.first, words.count) {
        case ("scan", 1): verb = .scan
        case ("leave", 1): verb = .leave
        case ("status", 1): verb = .status
        case ("join", 2): verb = .join(ssid: words[1])
        default: throw Self.problem("one of scan, join SSID, leave, status is missing")
        }
    }

    private static func problem(_ text: String) -> SimulatorOptions.Problem { SimulatorOptions.Problem(message: text) }

    /// Carries it out.
    ///
    /// - Returns: what goes to standard output.
    @Loop
    func run() async throws(AirError) -> String? {
        let radio = AirRadio(Air(folder: folder), interface: interface, configures: configures)
        switch verb {
        case .scan: return radio.scan().text
        case .join(let ssid): return try await radio.join(ssid, passphrase: readLine() ?? "").text
        case .status: return radio.status().text
        case .leave:
            try await radio.leave()
            return nil
        }
    }
}
