extension Verb {
    /// All that `lintel` can do, in the order of its help.
    static let table: [Verb] = [
        Verb(
            name: "run",
            usage: "run [FILE]",
            summary: "run the gateway",
            details: """
                Runs until SIGTERM or Ctrl-C, then says offline and stops its plugins.
                Check a configuration first with: lintel config check
                """,
            operands: 0...1,
            options: [.config, .level]
        ),
        Verb(
            name: "demo",
            usage: "demo [--lamps N] [--port PORT]",
            summary: "run a broker, the gateway and simulated lamps, to try it out",
            details: """
                Everything runs on loopback and stops with Ctrl-C. What to try next is printed when it is up.
                """,
            operands: 0...0,
            options: [.lamps, .port, .directory, .level]
        ),
        Verb(
            name: "status",
            usage: "status",
            summary: "is the gateway up, what does it carry",
            details: "Asks the running gateway over MQTT: version, plugins, devices, broker.",
            operands: 0...0,
            options: Option.client
        ),
        Verb(
            name: "devices",
            usage: "devices",
            summary: "list all devices",
            details: "One line a device: id, name, room, plugin, and whether it is online or why not.",
            operands: 0...0,
            options: Option.client
        ),
        Verb(
            name: "device <id> show",
            usage: "device <id> show",
            summary: "everything about a device",
            details: "What it is, its properties with their ranges, its present state, and why it is offline.",
            operands: 0...0,
            options: Option.client
        ),
        Verb(
            name: "device <id> get",
            usage: "device <id> get [property …]",
            summary: "ask the device for its state now",
            details: "Example: lintel device desk-lamp get power brightness",
            operands: 0...64,
            options: Option.client
        ),
        Verb(
            name: "device <id> set",
            usage: "device <id> set property=value …",
            summary: "change properties",
            details: """
                Examples:
                  lintel device desk-lamp set power=true
                  lintel device desk-lamp set brightness=128 color_temp=4000
                  lintel device desk-lamp set color.h=240 color.s=100
                  lintel device desk-lamp set '{"power":true,"effect":"night"}'
                All are one command to the device. The answer says how far it got: confirmed (the device reported the
                values), acknowledged (it took them), or an error with its code.
                """,
            operands: 1...64,
            options: Option.client + [.clamp, .expert]
        ),
        Verb(
            name: "device <id> action",
            usage: "device <id> action <name> [JSON]",
            summary: "ask the device to do something",
            details: "The actions of a device are in lintel device <id> show.",
            operands: 1...2,
            options: Option.client
        ),
        Verb(
            name: "device <id> watch",
            usage: "device <id> watch",
            summary: "print its state and events as they change",
            details: "Ends with Ctrl-C.",
            operands: 0...0,
            options: Option.client
        ),
        Verb(
            name: "device <id> history",
            usage: "device <id> history",
            summary: "who commanded it, and what came of it",
            details: "The newest commands first.",
            operands: 0...0,
            options: Option.client + [.limit]
        ),
        Verb(
            name: "device <id> rename",
            usage: "device <id> rename <name>",
            summary: "give it another name",
            details: "Topics do not change: they carry the id.",
            operands: 1...1,
            options: Option.client
        ),
        Verb(
            name: "device <id> move",
            usage: "device <id> move <room> [--home HOME]",
            summary: "put it in a room",
            details: """
                The room is given by its id or its name; lintel homes lists both. Homes and rooms are made with:
                  lintel request home/add '{"name":"My home"}'
                  lintel request room/add '{"name":"Kitchen"}'
                """,
            operands: 1...1,
            options: Option.client + [.home]
        ),
        Verb(
            name: "device <id> remove",
            usage: "device <id> remove [--unpair] [--force]",
            summary: "forget it",
            details: """
                Its state, secrets and all its topics go, too. A device that stands in the configuration comes back with it:
                delete it there first, and then: lintel plugin reload <plugin>
                """,
            operands: 0...0,
            options: Option.client + [.unpair, .force]
        ),
        Verb(
            name: "homes",
            usage: "homes",
            summary: "list homes and rooms",
            details: "Ids are what device move takes.",
            operands: 0...0,
            options: Option.client
        ),
        Verb(
            name: "pair",
            usage: "pair <plugin> [<method>]",
            summary: "bring a new device in, step by step",
            details: """
                Asks for what it needs: which method, which Wi-Fi, its password (which is not shown). Ctrl-C cancels cleanly, and
                brings everything back to where it was; a second one leaves at once.
                Examples:
                  lintel pair --list
                  lintel pair PLUGIN
                  lintel pair PLUGIN METHOD --ssid home --password-file secret.txt --room kitchen
                Rooms and homes are made as lintel help device move says.
                In scripts (without a terminal, or with --json) nothing is asked: an answer that is missing cancels the session and
                is named. Every answer is given with --set FIELD=VALUE; given more than once, each is for one time of asking.
                Secrets never stand on the command line: --set password=@FILE, --set password=- or --secret-ref password=NAME.
                --json prints every progress as one line, and a last line with "result" and "exit".
                Exit status: 0 paired, 1 refused by the gateway, 2 an answer is missing or wrong, 5 nothing was paired, 130 Ctrl-C.
                """,
            operands: 0...2,
            options: Option.client + Option.pairing
        ),
        Verb(
            name: "pair status",
            usage: "pair status [<session>]",
            summary: "how pairing sessions are",
            details: "Without a session: all that are open or ended not long ago.",
            operands: 0...1,
            options: Option.client
        ),
        Verb(
            name: "pair cancel",
            usage: "pair cancel <session>",
            summary: "cancel a pairing session",
            details: "Everything is brought back to where it was, the gateway's Wi-Fi too.",
            operands: 1...1,
            options: Option.client
        ),
        Verb(
            name: "pair history",
            usage: "pair history [--limit N]",
            summary: "what was paired, and what failed",
            details: "The newest sessions first.",
            operands: 0...0,
            options: Option.client + [.limit]
        ),
        Verb(
            name: "wifi status",
            usage: "wifi status",
            summary: "whether the gateway's radio can pair devices",
            details: "What was found, and what to do about it.",
            operands: 0...0,
            options: Option.client
        ),
        Verb(
            name: "wifi scan",
            usage: "wifi scan",
            summary: "the Wi-Fi networks that the gateway sees",
            details: "The strongest first. Devices that wait to be paired show hotspots of their own.",
            operands: 0...0,
            options: Option.client
        ),
        Verb(
            name: "plugin list",
            usage: "plugin list",
            summary: "list plugins and how they are",
            details: "One line a plugin: id, version, state, restarts, devices.",
            operands: 0...0,
            options: Option.client
        ),
        Verb(
            name: "plugin reload",
            usage: "plugin reload <plugin>",
            summary: "stop and start one plugin",
            details: "Reads its section of the configuration again. The other plugins are not touched.",
            operands: 1...1,
            options: Option.client
        ),
        Verb(
            name: "plugin logs",
            usage: "plugin logs <plugin> [--limit N]",
            summary: "its newest log lines and frames",
            details: "Kept by the gateway also over the plugin's crash; secrets are left out.",
            operands: 1...1,
            options: Option.client + [.limit]
        ),
        Verb(
            name: "request",
            usage: "request <path> [JSON]",
            summary: "send any request of the MQTT interface",
            details: "Example: lintel request room/add '{\"name\":\"Kitchen\"}'",
            operands: 1...2,
            options: Option.client
        ),
        Verb(
            name: "config check",
            usage: "config check [FILE]",
            summary: "check a configuration without running it",
            details: "Prints every problem with its line, and exits with 3 if there is one.",
            operands: 0...1,
            options: [.config, .json]
        ),
        Verb(
            name: "mqtt tail",
            usage: "mqtt tail [filter …]",
            summary: "print what passes on the broker",
            details: "Without a filter: everything below the base topic. Ends with Ctrl-C.",
            operands: 0...16,
            options: Option.client
        ),
        Verb(
            name: "version",
            usage: "version",
            summary: "print the version",
            details: "",
            operands: 0...0,
            options: [.json]
        ),
        Verb(
            name: "help",
            usage: "help [verb]",
            summary: "explain a verb",
            details: "",
            operands: 0...3,
            options: []
        ),
    ]
}
