internal import EventLoop
internal import JSON
internal import TuyaProtocol

/// A fault by its name on the control channel.
struct LampFaultCommand: Sendable {
    /// What stands behind the name in a command.
    struct Arguments {
        let object: JSONObject

        func integer(_ name: String, default fallback: Int? = nil) throws(LampCommandError) -> Int {
            guard let value = object[name]?.intValue ?? fallback, value >= 0 else { throw .missing(name) }
            return value
        }

        func text(_ name: String) throws(LampCommandError) -> String {
            guard let value = object[name]?.stringValue else { throw .missing(name) }
            return value
        }

        func milliseconds(default fallback: Int? = nil) throws(LampCommandError) -> Duration {
            .milliseconds(try integer("ms", default: fallback))
        }

        func integers(_ name: String) throws(LampCommandError) -> [Int] {
            guard let values = object[name]?.arrayValue else { throw .missing(name) }
            return values.compactMap(\.intValue)
        }

        /// `"on":false` takes a fault back.
        var isOn: Bool { object["on"]?.boolValue ?? true }
    }

    typealias Action = @Loop @Sendable (TuyaLamp, Arguments) throws(LampCommandError) -> Void

    let name: String
    /// The other members of the command, as in `"ms":300`.
    let usage: String
    let help: String
    let apply: Action

    private init(_ name: String, _ usage: String = "", _ help: String, _ apply: @escaping Action) {
        self.name = name
        self.usage = usage
        self.help = help
        self.apply = apply
    }

    /// All faults, in the order of the help.
    static let all: [LampFaultCommand] = connections + bytes + answers

    private static let connections: [LampFaultCommand] = [
        .init("none", "", "healthy again") { lamp, _ in lamp.faults = LampFaults() },
        .init("drop", "", "close all connections") { lamp, _ in lamp.drop() },
        .init("reset", "", "break all connections off with a reset") { lamp, _ in lamp.drop(resetting: true) },
        .init("offline", "", "close everything and refuse connections") { lamp, _ in lamp.stop() },
        .init("online", "", "listen again") { lamp, _ throws(LampCommandError) in
            do throws(LoopError) { try lamp.start() } catch { throw .refused("cannot listen: \(error)") }
        },
        .init("reboot", "\"ms\":3000", "gone for a time, then back") { lamp, arguments throws(LampCommandError) in
            lamp.reboot(for: try arguments.milliseconds(default: 3000))
        },
        .init("move", "\"address\":\"127.0.0.99\"", "another address") { lamp, arguments throws(LampCommandError) in
            guard let address = SocketAddress(ip: try arguments.text("address"), port: lamp.identity.address.port)
            else { throw .missing("address") }
            do throws(LoopError) { try lamp.move(to: address) } catch { throw .refused("cannot listen: \(error)") }
        },
        .init("repair", "\"key\":\"16 characters...\"", "another local key") {
            lamp,
            arguments throws(LampCommandError) in
            let key = try arguments.text("key")
            do throws(LocalKey.Problem) { try lamp.repair(key: key) } catch { throw .refused("\(error)") }
        },
        .init("clients", "\"maximum\":1", "turn more clients away; 0 accepts and closes every one") {
            lamp,
            arguments throws(LampCommandError) in
            lamp.faults.maximumClients = arguments.isOn ? try arguments.integer("maximum", default: 1) : nil
        },
        .init("silent", "", "accept, hear, never answer") { lamp, arguments in lamp.faults.isSilent = arguments.isOn },
        .init("dead_sessions", "\"count\":1", "the next sessions are dead after a good negotiation") {
            lamp,
            arguments throws(LampCommandError) in
            lamp.faults.deadSessions = try arguments.integer("count", default: 1)
        },
        .init("close_on_set", "", "close when a set arrives") { lamp, arguments in
            lamp.faults.closesOnSet = arguments.isOn
        },
    ]

    private static let bytes: [LampFaultCommand] = [
        .init("delay", "\"ms\":300", "everything leaves later") { lamp, arguments throws(LampCommandError) in
            lamp.faults.delay = try arguments.milliseconds()
        },
        .init("split", "\"sizes\":[1,7],\"ms\":1", "frames leave in segments of these sizes; [] for whole ones") {
            lamp,
            arguments throws(LampCommandError) in
            lamp.faults.segmentSizes = try arguments.integers("sizes")
            lamp.faults.segmentPause = try arguments.milliseconds(default: 1)
        },
        .init("merge", "\"ms\":50", "frames of this time leave in one write; 0 for none") {
            lamp,
            arguments throws(LampCommandError) in
            let window = try arguments.milliseconds(default: 50)
            lamp.faults.mergeWindow = window == .zero ? nil : window
        },
        .init("garbage", "\"bytes\":20", "random bytes before each frame; 0 for none") {
            lamp,
            arguments throws(LampCommandError) in
            let count = min(try arguments.integer("bytes", default: 20), 4096)
            lamp.faults.garbage = (0..<count).map { _ in UInt8.random(in: 0...255) }
        },
        .init("corrupt", "", "wrong checksums") { lamp, arguments in lamp.faults.corruptsChecksums = arguments.isOn },
    ]

    private static let answers: [LampFaultCommand] = [
        .init("status", "\"answer\":\"empty|no_points|null_points\"", "what queries get instead of the state") {
            lamp,
            arguments throws(LampCommandError) in
            switch arguments.object["answer"]?.stringValue {
            case nil: lamp.faults.statusAnswer = nil
            case "empty": lamp.faults.statusAnswer = .empty
            case "no_points": lamp.faults.statusAnswer = .noPoints
            case "null_points": lamp.faults.statusAnswer = .nullPoints
            default: throw .missing("answer")
            }
        },
        .init("partial", "\"points\":[20]", "queries get these data points only") {
            lamp,
            arguments throws(LampCommandError) in
            lamp.faults.statusAnswer = .points(try arguments.integers("points"))
        },
        .init("truncate", "\"bytes\":30", "queries get JSON that is cut off") {
            lamp,
            arguments throws(LampCommandError) in
            lamp.faults.statusAnswer = .truncated(bytes: try arguments.integer("bytes", default: 30))
        },
        .init("error_text", "\"text\":\"data format error\"", "every request gets this; without text none does") {
            lamp,
            arguments in
            lamp.faults.errorText = arguments.object["text"]?.stringValue
        },
        .init("return_code", "\"code\":1", "of good control commands") { lamp, arguments throws(LampCommandError) in
            let code = try arguments.integer("code", default: 1)
            lamp.faults.controlReturnCode = Int32(clamping: code)
        },
        .init("ignore_sets", "", "acknowledge sets and change nothing") { lamp, arguments in
            lamp.faults.ignoresSets = arguments.isOn
        },
        .init("no_acks", "", "carry sets out and don't acknowledge them") { lamp, arguments in
            lamp.faults.losesAcknowledgements = arguments.isOn
        },
        .init("no_reports", "", "report nothing") { lamp, arguments in lamp.faults.losesReports = arguments.isOn },
        .init("split_reports", "", "one data point a report") { lamp, arguments in
            lamp.faults.splitsReports = arguments.isOn
        },
        .init("repeat_reports", "", "every report twice") { lamp, arguments in
            lamp.faults.repeatsReports = arguments.isOn
        },
        .init("late_copies", "\"ms\":500", "report the values from before a set again; 0 for none") {
            lamp,
            arguments throws(LampCommandError) in
            let delay = try arguments.milliseconds(default: 500)
            lamp.faults.lateCopyDelay = delay == .zero ? nil : delay
        },
    ]
}
