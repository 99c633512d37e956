/// Something that the program can be asked to do.
struct Verb: Sendable {
    /// The words: `run`, `plugin list`, `device <id> set`.
    var name: String
    /// The words with their operands.
    var usage: String
    /// One line for the list of verbs.
    var summary: String
    /// More for `lintel help <verb>`: examples and what to know.
    var details: String
    /// How many operands it takes, the id in its name not counted.
    var operands: ClosedRange<Int>
    /// Its own options, besides those that all have.
    var options: [Option]

    /// How many words of a command line belong to the name.
    var words: Int { name.split(separator: " ").count }

    func allows(_ option: Option) -> Bool {
        option.name == "help" || options.contains { $0.name == option.name }
    }
}

/// An option of verbs.
struct Option: Sendable {
    var name: String
    /// What stands for the value in help; nil for a flag.
    var value: String?
    var summary: String

    var takesValue: Bool { value != nil }

    static let config = Option(
        name: "config",
        value: "FILE",
        summary: "configuration (else $LINTEL_CONFIG, ./lintel.yaml, /etc/lintel/lintel.yaml)"
    )
    static let url = Option(name: "url", value: "URL", summary: "broker, in place of the configuration's")
    static let baseTopic = Option(
        name: "base-topic",
        value: "TOPIC",
        summary: "base topic, in place of the configuration's"
    )
    static let json = Option(name: "json", value: nil, summary: "print JSON, one value a line")
    static let timeout = Option(name: "timeout", value: "SECONDS", summary: "how long to wait for an answer (10)")
    static let help = Option(name: "help", value: nil, summary: "explain this verb")
    static let limit = Option(name: "limit", value: "N", summary: "how many lines (50)")
    static let unpair = Option(name: "unpair", value: nil, summary: "make the device forget the gateway, too")
    static let force = Option(name: "force", value: nil, summary: "also while its plugin is not running")
    static let clamp = Option(name: "clamp", value: nil, summary: "take the nearest value allowed")
    static let expert = Option(name: "expert", value: nil, summary: "allow data points without a schema")
    static let home = Option(name: "home", value: "HOME", summary: "the home to move to")
    static let level = Option(
        name: "log-level",
        value: "LEVEL",
        summary: "error, warning, notice, info, debug or trace"
    )
    static let lamps = Option(name: "lamps", value: "N", summary: "how many simulated lamps (4)")
    static let port = Option(name: "port", value: "PORT", summary: "port of the demo's broker (1883)")
    static let directory = Option(name: "directory", value: "FOLDER", summary: "where the demo keeps its files")

    static let room = Option(name: "room", value: "ROOM", summary: "the room for the device, by id or name")
    static let pairHome = Option(name: "home", value: "HOME", summary: "the home for the device, by id or name")
    static let deviceName = Option(name: "name", value: "NAME", summary: "what to call the device")
    static let ssid = Option(name: "ssid", value: "SSID", summary: "the Wi-Fi for the device")
    static let passwordFile = Option(name: "password-file", value: "FILE", summary: "a file with the Wi-Fi's password")
    static let set = Option(
        name: "set",
        value: "FIELD=VALUE",
        summary: "an answer, @FILE from a file, - from standard input, @@… for a text that begins with @"
    )
    static let secretRef = Option(
        name: "secret-ref",
        value: "FIELD=NAME",
        summary: "an answer that is a secret of the gateway's configuration"
    )
    static let yes = Option(name: "yes", value: nil, summary: "go ahead where only that is asked")
    static let list = Option(name: "list", value: nil, summary: "list the methods of all plugins, or of one")

    static let pairing = [pairHome, room, deviceName, ssid, passwordFile, set, secretRef, yes, list]

    static let client = [config, url, baseTopic, json, timeout]

    static let known: [String: Option] = {
        let all =
            client + pairing.dropFirst() + [
                help, limit, unpair, force, clamp, expert, home, level, lamps, port, directory,
            ]
        return Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
    }()
}
