import Glibc
import TuyaProtocol

/// What `lintel-bench` was asked for.
struct BenchOptions: Sendable {
    /// What stands beside the floor.
    enum Rival: Sendable {
        case lintel
        /// The floor once more.
        case twin
        case none
    }

    /// The local key of all lamps.
    static let key = "0123456789abcdef"
    /// Of the lamps' ids, before six digits.
    static let idPrefix = "bfbench0000000"

    /// The first address of a subject's lamps, in 127.0.0.0/8: another one for each process, so that two runs on one machine
    /// don't meet.
    static func lampNetwork(_ subject: UInt32) -> UInt32 {
        let second = 20 + UInt32(bitPattern: getpid()) % 100 * 2 + subject
        return 0x7F00_0001 | second << 16
    }

    /// How many lamps, one part of the run for each.
    var counts = [1, 10, 100, 500, 1000]
    /// The counts for which the highest sustained rate is looked for.
    var rampCounts = [100, 1000]
    /// The counts for which the return after faults is measured.
    var recoveryCounts = [100, 500, 1000]
    var version = ProtocolVersion.v33
    /// Messages a second of the paced part.
    var pacedRate = 50.0
    /// Paced messages for each subject, direction and count.
    var pacedMessages = 1000
    /// Messages a second at which processor time is measured.
    var steadyRate = 800.0
    /// How long a trial of the ramp, and a slice of the steady part, lasts.
    var trial = Duration.seconds(3)
    /// How often starts and recoveries are measured.
    var rounds = 3
    /// How long a session must have been up to count as stable for the first reconnect delay.
    var settling = Duration.milliseconds(10_500)
    /// Rates below which the ramp begins, in messages a second.
    var rampStart = 1000.0
    /// The rate at which the ramp ends, in messages a second.
    var rampEnd = 60_000.0
    /// Halvings between the last good and the first bad rate.
    var rampSteps = 4
    /// What is measured beside the floor.
    var rival = Rival.lintel
    /// Milliseconds between two sets to a lamp; nil for the plugin's default.
    var setPause: Int? = 0
    var floorPath: String?
    var lintelPath: String?
    var pluginFolder: String?
    var outputFolder = "Sources/Bench/Results"
    /// Where one line for each paced message goes.
    var eventsPath: String?
    var isQuick = false

    static let help = """
        Usage: lintel-bench [run] [options]    the gateway against the floor, with simulated lamps and a mosquitto
               lintel-bench json               JSON against Foundation's, alone

          --quick                 a smoke run of under 40 s, whose figures mean nothing
          --counts 1,10,100       how many lamps (1,10,100,500,1000)
          --ramp-counts 100       for which of them to look for the highest rate (100,1000)
          --recovery-counts 100   for which of them to measure the return after faults (100,500,1000)
          --version 3.3           the lamps' protocol; the floor speaks only 3.3 (3.3)
          --messages N            paced messages for each subject, direction and count (1000)
          --rounds N              how often starts and recoveries are measured (3)
          --set-pause MS          between two sets to a lamp; "default" for the plugin's own (0)
          --floor-only            leave lintel out
          --twin                  the floor against itself, to see what differences mean nothing
          --floor PATH            the floor's program (beside this one)
          --lintel PATH           the gateway's program (beside this one)
          --plugins PATH          the folder with the plugins (the gateway's own idea)
          --output FOLDER         for latest.json, table.md, latency.svg and throughput.svg (Sources/Bench/Results)
          --events FILE           one line of CSV for each paced message, with monotonic nanoseconds
        """

    init(_ arguments: [String]) throws(BenchError) {
        var rest = arguments[...]
        if rest.contains("--quick") { shorten() }
        while let option = rest.popFirst() {
            switch option {
            case "--quick": break
            case "--floor-only": rival = .none
            case "--twin": rival = .twin
            default:
                guard let value = rest.popFirst() else { throw .usage("\(option) needs a value, or is unknown") }
                try read(option, value)
            }
        }
        counts = Set(counts + rampCounts + recoveryCounts).sorted()
        if version != .v33, rival != .lintel { throw .usage("the floor speaks only 3.3") }
    }

    /// Everything runs once and briefly.
    private mutating func shorten() {
        isQuick = true
        counts = [1, 20]
        rampCounts = [20]
        recoveryCounts = [20]
        pacedMessages = 50
        trial = .milliseconds(400)
        rounds = 1
        settling = .milliseconds(300)
        rampStart = 500
        rampEnd = 2000
        rampSteps = 1
    }

    private mutating func read(_ option: String, _ value: String) throws(BenchError) {
        switch option {
        case "--counts":
            counts = try Self.numbers(option, value)
            rampCounts = rampCounts.filter(counts.contains)
            recoveryCounts = recoveryCounts.filter(counts.contains)
        case "--ramp-counts": rampCounts = try Self.numbers(option, value)
        case "--recovery-counts": recoveryCounts = try Self.numbers(option, value)
        case "--version": version = ProtocolVersion(text: value)
        case "--messages": pacedMessages = try Self.number(option, value)
        case "--rounds": rounds = try Self.number(option, value)
        case "--set-pause": setPause = value == "default" ? nil : try Self.number(option, value, from: 0)
        case "--floor": floorPath = value
        case "--lintel": lintelPath = value
        case "--plugins": pluginFolder = value
        case "--output": outputFolder = value
        case "--events": eventsPath = value
        default: throw .usage("unknown option \(option)")
        }
    }

    private static func number(_ option: String, _ text: String, from minimum: Int = 1) throws(BenchError) -> Int {
        guard let number = Int(text), number >= minimum else {
            throw .usage("\(option) takes a number from \(minimum)")
        }
        return number
    }

    private static func numbers(_ option: String, _ text: String) throws(BenchError) -> [Int] {
        var numbers: [Int] = []
        for part in text.split(separator: ",") { numbers.append(try number(option, String(part))) }
        return numbers
    }
}
