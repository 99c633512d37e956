import Config
import EventLoop
import Glibc
import JSON

/// `lintel demo`: a broker, the gateway and simulated lamps on loopback, and what to try with them.
@Loop
enum Demo {
    static func run(_ invocation: Invocation, _ terminal: Terminal) async throws -> ExitCode {
        guard let count = Int(invocation.options["lamps"] ?? "4"), (1...200).contains(count) else {
            throw Failure(.usage, "--lamps takes a number from 1 to 200.")
        }
        let port = try port(invocation, terminal)
        let folder = invocation.options["directory"] ?? "\(Files.resolved(".") ?? ".")/data/demo"
        try Files.makeFolder(folder)
        let lamps = try await DemoLamps.start(count: count, folder: folder)
        defer { lamps.stop() }
        let pairing = try await DemoPairing.start(folder: folder)
        defer { pairing.stop() }
        let section = "\(lamps.section)\(pairing.account)\n\(pairing.radio)\n"
        try Files.write(try configuration(section, port: port, folder: folder), to: "\(folder)/lintel.yaml")
        let configuration = try ConfigLocation.load("\(folder)/lintel.yaml")
        return try await RunVerb.run(
            configuration,
            path: "\(folder)/lintel.yaml",
            level: invocation.options["log-level"] ?? "warning"
        ) {
            terminal.line(advice(lamps.ids, port: port, folder: folder, terminal))
        }
    }

    /// The port that was asked for, else 1883 or, where another broker has that, one after it.
    private static func port(_ invocation: Invocation, _ terminal: Terminal) throws(Failure) -> UInt16 {
        if let text = invocation.options["port"] {
            guard let port = UInt16(text), port > 0 else { throw Failure(.usage, "--port takes a port number.") }
            return port
        }
        guard let free = (1883...1899).first(where: EmbeddedBroker.isFree) else {
            throw Failure(.configuration, "The ports 1883 to 1899 are taken.", hint: "Give another with --port.")
        }
        if free != 1883 { terminal.line("Port 1883 is taken; the demo's broker listens on \(free).") }
        return free
    }

    private static func configuration(_ section: String, port: UInt16, folder: String) throws(Failure) -> String {
        """
        # Written by lintel demo at each start.
        mqtt:
          url: embedded:\(port)
          base_topic: lintel
        data_directory: \(JSON.string(folder).text)
        \(section)
        """
    }

    private static func advice(_ ids: [String], port: UInt16, folder: String, _ terminal: Terminal) -> String {
        let lamp = ids.first ?? "lamp"
        let option = port == 1883 ? "" : " -p \(port)"
        let program = CommandLine.arguments.first ?? "lintel"
        let config = "--config \(folder)/lintel.yaml"
        let title = { (text: String) in terminal.paint(text, .strong) }
        return """

            \(title("The demo home is up:")) \(ids.count) simulated lamps that speak the vendor's LAN protocol (\(ids.joined(separator: ", "))),
            a broker on 127.0.0.1:\(port), and the gateway between them. Ctrl-C ends it. Try in another terminal:

              \(title("see what the lamps say"))
                mosquitto_sub\(option) -v -t 'lintel/device/+/state'
              \(title("command one, and see the answer"))
                mosquitto_sub\(option) -v -t 'lintel/device/+/response' &
                mosquitto_pub\(option) -t lintel/device/\(lamp)/set -m '{"power":true,"brightness":128}'
                mosquitto_pub\(option) -t lintel/device/\(lamp)/set -m '{"color":{"h":240,"s":100}}'
                mosquitto_pub\(option) -t lintel/device/\(lamp)/set -m '{"brightness":999}'
              \(title("the same from the program"))
                \(program) devices \(config)
                \(program) device \(lamp) show \(config)
                \(program) device \(lamp) set power=on color_temp=3000 \(config)
              \(title("pair a lamp that waits in its own hotspot"))
                \(program) pair tuya ap \(config)
                The lamp sees "\(DemoPairing.ssid)", whose password is \(DemoPairing.password); give a wrong one first to see what happens.
                Then it is a lamp like the others. Started again, the demo has another one to pair, and this one stays offline.
                \(program) wifi scan \(config)
                \(program) pair history \(config)
              \(title("break something"))
                kill -9 $(pidof lintel-plugin-tuya)     # its lamps turn offline with plugin_down, and are back in a second

            """
    }
}
