import EventLoop
import Simulators
import TuyaProtocol

/// What `lintel-simulator lamps` was asked for on its command line.
struct SimulatorOptions {
    /// A line to show with the exit code for wrong usage.
    struct Problem: Error {
        let message: String
    }

    var plan = HousePlan()
    var beacons: LampAnnouncer.Settings?
    var configurationPath: String?
    var detail = TuyaLampHouse.Detail.everything
    var devicesPath: String?
    var isQuiet = false
    var endsWithInput = false

    static let help = """
        Usage: lintel-simulator lamps [options]
               lintel-simulator hotspot [options]   (hotspot --help: devices that wait to be paired)
               lintel-simulator wifi [options] scan|join SSID|leave|status   (wifi --help: a simulated radio)

        Simulates Tuya devices on the LAN protocol, each on an address of its own, until it is interrupted.

          --count N               devices (4)
          --versions 3.3,3.5      protocol versions, given in turn: 3.1 3.2 3.3 3.4 3.5 (3.3)
          --types RGBCW,CW        light types, given in turn: C CW RGB RGBC RGBCW (RGBCW)
          --generations 2         numberings of data points, given in turn: 1 2 3 (2)
          --plugs                 plugs with metering instead of lights
          --first-address IP      of the first device, the others follow (127.0.0.2)
          --port N                TCP port of every device (6668)
          --seed N                another seed, other ids and keys (1)
          --id-prefix TEXT        ids of this text and a number from 1, instead of random ones
          --key TEXT              one local key of 16 characters for all
          --beacons               announce the devices over UDP
          --beacon-interval S     seconds between two announcements of a device (5)
          --beacon-target IP      where announcements go (127.255.255.255)
          --config-out FILE       write the devices as a section of Lintel's configuration
          --config-ids-only       leave address and version out of it, to be found by announcements
          --devices-out FILE      write the devices as tinytuya's devices.json
          --quiet                 no log of what the devices are told
          --exit-with-input       end when the control channel on standard input ends

        Standard input is the control channel: one JSON object a line; `help` lists what it takes.
        """

    /// Reads the arguments behind `lamps`.
    init(_ arguments: [String]) throws(Problem) {
        var rest = arguments[...]
        while let option = rest.popFirst() {
            switch option {
            case "--plugs": plan.arePlugs = true
            case "--beacons": beacons = beacons ?? LampAnnouncer.Settings()
            case "--config-ids-only": detail = .idsAndKeys
            case "--quiet": isQuiet = true
            case "--exit-with-input": endsWithInput = true
            default:
                guard let value = rest.popFirst() else {
                    throw Problem(message: "\(option) needs a value, or is unknown")
                }
                try read(option, value)
            }
        }
    }

    private mutating func read(_ option: String, _ value: String) throws(Problem) {
        switch option {
        case "--count": plan.count = try Self.number(option, value, 1...60_000)
        case "--versions": plan.versions = try Self.list(option, value) { version($0) }
        case "--types": plan.types = try Self.list(option, value) { LightType(rawValue: $0) }
        case "--generations": plan.generations = try Self.list(option, value) { Int($0).flatMap(LightGeneration.init) }
        case "--first-address": plan.firstAddress = try Self.address(option, value, plan.firstAddress.port)
        case "--port":
            plan.firstAddress = plan.firstAddress.with(port: UInt16(try Self.number(option, value, 1...65_535)))
        case "--seed": plan.seed = UInt64(try Self.number(option, value, 0...Int.max))
        case "--id-prefix":
            plan.idPrefix = value
            plan.firstNumber = 1
            plan.idDigits = 1
        case "--key":
            guard (try? LocalKey(value)) != nil else { throw Problem(message: "\(option) takes 16 characters") }
            plan.sharedKey = value
        case "--beacon-interval":
            let interval = Duration.seconds(try Self.number(option, value, 1...3600))
            beacons = beacons ?? LampAnnouncer.Settings()
            beacons?.interval = interval
        case "--beacon-target":
            let target = try Self.address(option, value, 0)
            beacons = beacons ?? LampAnnouncer.Settings()
            beacons?.target = target
        case "--config-out": configurationPath = value
        case "--devices-out": devicesPath = value
        default: throw Problem(message: "unknown option \(option)")
        }
    }

    private func version(_ text: String) -> ProtocolVersion? {
        let version = ProtocolVersion(text: text)
        return version.isSupported ? version : nil
    }

    private static func number(_ option: String, _ text: String, _ range: ClosedRange<Int>) throws(Problem) -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw Problem(message: "\(option) takes a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private static func address(_ option: String, _ text: String, _ port: UInt16) throws(Problem) -> SocketAddress {
        guard let address = SocketAddress(ip: text, port: port), !address.isIPv6 else {
            throw Problem(message: "\(option) takes an IPv4 address")
        }
        return address
    }

    private static func list<Value>(
        _ option: String,
        _ text: String,
        _ read: (String) -> Value?
    ) throws(Problem) -> [Value] {
        var values: [Value] = []
        for part in text.split(separator: ",") {
            guard let value = read(String(part)) else { throw Problem(message: "\(option) does not know \(part)") }
            values.append(value)
        }
        guard !values.isEmpty else { throw Problem(message: "\(option) needs at least one value") }
        return values
    }
}
