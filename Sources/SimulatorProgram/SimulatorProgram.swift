import EventLoop
import Glibc
import JSON
import Simulators

/// `lintel-simulator`: simulated devices for trying things out without hardware.
@main
enum SimulatorProgram {
    /// Exit status for wrong usage, as `sysexits.h` numbers it.
    private static let usageStatus: Int32 = 64

    static func main() {
        let arguments = [String](CommandLine.arguments.dropFirst())
        if arguments.first == "wifi" { moveRadio([String](arguments.dropFirst())) }
        guard let verb = arguments.first, ["lamps", "cloud", "hotspot"].contains(verb), !arguments.contains("--help")
        else {
            print(help(arguments.first))
            exit(arguments.isEmpty || arguments.contains("--help") || arguments == ["help"] ? 0 : usageStatus)
        }
        do throws(SimulatorOptions.Problem) {
            if verb == "cloud" {
                let cloud = try CloudVerb([String](arguments.dropFirst()))
                Loop.runMain { await cloud.run() }
            }
            if verb == "hotspot" {
                let hotspot = try HotspotVerb([String](arguments.dropFirst()))
                Loop.runMain { await hotspot.run() }
            }
            let options = try SimulatorOptions([String](arguments.dropFirst()))
            Loop.runMain { await run(options) }
        } catch {
            complain("\(error.message); --help lists the options")
            exit(usageStatus)
        }
    }

    private static func help(_ verb: String?) -> String {
        switch verb {
        case "cloud": CloudVerb.help
        case "hotspot": HotspotVerb.help
        default: SimulatorOptions.help
        }
    }

    private static func moveRadio(_ arguments: [String]) -> Never {
        guard arguments.first != "--help", !arguments.isEmpty else {
            print(WiFiCommand.help)
            exit(arguments.isEmpty ? usageStatus : 0)
        }
        do throws(SimulatorOptions.Problem) {
            let command = try WiFiCommand(arguments)
            Loop.runMain {
                do throws(AirError) {
                    if let output = try await command.run() { SimulatorLog.line(output) }
                    return 0
                } catch {
                    complain(error.message)
                    return error.exitStatus
                }
            }
        } catch {
            complain("\(error.message); wifi --help lists the options")
            exit(usageStatus)
        }
    }

    @Loop
    private static func run(_ options: SimulatorOptions) async -> Int32 {
        DescriptorLimit.raise()
        do {
            let house = try TuyaLampHouse(options.plan, beacons: options.beacons)
            let log = SimulatorLog(house)
            if !options.isQuiet {
                for lamp in house.lamps { lamp.onEvent = { log.record($0, $1) } }
            }
            try house.start()
            try writeFiles(house, options)
            SimulatorLog.line("ready: \(house.lamps.count) devices from \(house.lamps[0].identity.address)")
            await serve(house, options)
            house.stop()
            return 0
        } catch {
            complain("\(error)")
            return 1
        }
    }

    /// Serves the control channel until a signal comes, or the channel ends where that was asked for.
    @Loop
    private static func serve(_ house: TuyaLampHouse, _ options: SimulatorOptions) async {
        let (ends, ending) = AsyncStream.makeStream(of: Void.self)
        let signals = [SIGINT, SIGTERM].map { signal in try? SignalWatch(signal) { ending.finish() } }
        let control = LampControl(house)
        let input = ControlInput { line in SimulatorLog.line(control.perform(line)) }
        input.onEnd = { if options.endsWithInput { ending.finish() } }
        input.start()
        for await _ in ends {}
        input.stop()
        for signal in signals { signal?.cancel() }
    }

    @Loop
    private static func writeFiles(_ house: TuyaLampHouse, _ options: SimulatorOptions) throws {
        if let path = options.configurationPath {
            try TextFile.write(house.configuration(options.detail), to: path)
        }
        if let path = options.devicesPath { try TextFile.write(house.devicesJSON().text + "\n", to: path) }
    }

    static func complain(_ text: String) {
        let bytes = [UInt8]("lintel-simulator: \(text)\n".utf8)
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }
}
