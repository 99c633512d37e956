import EventLoop
import Glibc
import JSON
import Simulators

/// `lintel-simulator hotspot`.
struct HotspotVerb {
    static let help = """
        Usage: lintel-simulator hotspot [options]

        Simulates devices that wait to be paired, each in a hotspot of its own, until it is interrupted. Paired, they are
        on the LAN with the id and the key that the simulated cloud gave them.

          --plan FILE             JSON, below; without it one lamp of the new process
          --air DIR               where hotspots show to `lintel-simulator wifi --air DIR`
          --cloud URL             the simulated cloud, as `lintel-simulator cloud` prints it
          --quiet                 no log
          --exit-with-input       end when the control channel on standard input ends

        Standard input is the control channel: one JSON object a line; `help` lists what it takes.

        The plan: {"air": DIR, "cloud": URL, "devices": [{…}, …]}. A device's keys, all optional:

          habit                   "ap-plus" (default), "legacy-udp", "legacy-tcp"
          name, uuid, type        type of lamp: C CW RGB RGBC RGBCW
          version                 what it speaks on the LAN, "3.5"
          ssid, address           the hotspot's name and the device's address in it (127.77.0.1)
          ports                   {"channel":6668,"pincode":7001,"announcement":6667,"clear_announcement":6666,
                                  "legacy":6669}
          announce_to             where announcements go (127.255.255.255), every announce_interval_ms (1000)
          station                 {"interface":"lo","address":"127.0.0.1","prefix":8}: what a radio gets there
          pincode                 no announcements, the other port, identity and key of its own
          security_level          0 to 3
          reports_failures        true: the status after a failure names it, instead of a constant
          returns_after_ms        the hotspot is back this long after a failed join; null: never
          refusal_return_ms       and this long after a refusal of the cloud (1000)
          lists_networks, fields  false: knows no list; more fields of what it says about itself, null takes one out
          fragment                record size that it asks for: 512 1024 2048 4096
          scan_ms, join_ms        a scan blocks it (0); from the credentials to an address at home (800)
          activation_ms           from there to the cloud's answer, at least (0)
          confirms_after_ms       legacy with a security level: waits at home this long; null: until it is told
          loses_answer, silent    the answer to the credentials is lost; nothing is ever answered
          starts_handshake        false: accepts connections and says nothing
          networks                [{"ssid","password"?,"signal"?,"security"?,"hidden"?,"outcome"?}, …], outcome: joins,
                                  wrong_password, not_found, no_lease, cloud_refuses, cloud_unreachable, silent
          lan                     {"address":"127.77.1.2","port":6668,"announces":true,"announce_to":IP,
                                  "announce_interval_ms":5000,"ports":{"clear","encrypted","query"}}
        """

    private var planPath: String?
    private var air: String?
    private var cloud: String?
    private var isQuiet = false
    private var endsWithInput = false

    /// Reads the arguments behind `hotspot`.
    init(_ arguments: [String]) throws(SimulatorOptions.Problem) {
        var rest = arguments[...]
        while let option = rest.popFirst() {
            switch option {
            case "--quiet": isQuiet = true
            case "--exit-with-input": endsWithInput = true
            case "--plan": planPath = try Self.value(option, &rest)
            case "--air": air = try Self.value(option, &rest)
            case "--cloud": cloud = try Self.value(option, &rest)
            default: throw SimulatorOptions.Problem(message: "unknown option \(option)")
            }
        }
    }

    private static func value(
        _ option: String,
        _ rest: inout ArraySlice<String>
    ) throws(SimulatorOptions.Problem) -> String {
        guard let value = rest.popFirst() else { throw SimulatorOptions.Problem(message: "\(option) needs a value") }
        return value
    }

    @Loop
    func run() async -> Int32 {
        do {
            let plan: JSON = try planPath.map { try JSON.parse(TextFile.read($0)) } ?? .object([:])
            let house = try HotspotHouse(plan, air: air, cloud: cloud)
            if !isQuiet { log(house) }
            try house.start()
            SimulatorLog.line("ready: \(house.devices.count) devices to pair")
            await serve(house)
            house.stop()
            return 0
        } catch {
            SimulatorProgram.complain("\(planPath.map { "\($0): " } ?? "")\(error)")
            return 1
        }
    }

    @Loop
    private func log(_ house: HotspotHouse) {
        for (index, device) in house.devices.enumerated() {
            device.onEvent = { _, event in
                SimulatorLog.line("\(SimulatorLog.clock()) device \(index + 1) \(Self.text(event))")
            }
        }
    }

    private static func text(_ event: HotspotEvent) -> String {
        switch event {
        case .hotspotUp: "opens its hotspot"
        case .hotspotDown: "closes its hotspot"
        case .connected(let peer): "connected from \(peer)"
        case .channel: "has an encrypted channel"
        case .disconnected(let reason): "disconnected: \(reason)"
        case .request(let words): "request: \(words)"
        case .credentials(let ssid, let hasToken): "is told of \"\(ssid)\", \(hasToken ? "with" : "without") a token"
        case .joined(let outcome): "join: \(outcome.rawValue)"
        case .activated(let id): "is \(id)"
        case .refused(let reason): "is refused: \(reason)"
        case .onLAN(let address): "is on the LAN at \(address)"
        case .failed(let reason): "failed: \(reason)"
        }
    }

    /// Serves the control channel until a signal comes, or the channel ends where that was asked for.
    @Loop
    private func serve(_ house: HotspotHouse) async {
        let (ends, ending) = AsyncStream.makeStream(of: Void.self)
        let signals = [SIGINT, SIGTERM].map { signal in try? SignalWatch(signal) { ending.finish() } }
        let control = HotspotControl(house)
        let input = ControlInput { line in SimulatorLog.line(control.perform(line)) }
        input.onEnd = { if endsWithInput { ending.finish() } }
        input.start()
        for await _ in ends {}
        input.stop()
        for signal in signals { signal?.cancel() }
    }
}
