import EventLoop
import HomeModel
import JSON

/// A command of a caller, from its arrival to its answer.
struct PendingCommand {
    let command: DeviceCommand
    let source: String
    let at: Timestamp
    let reply: @Loop (CommandAnswer) -> Void
}

/// Acknowledged commands that wait for the device to report the values.
@Loop
final class Confirmation {
    /// What must be reported.
    let expected: JSONObject
    let commands: [PendingCommand]
    /// How far it got without a confirmation.
    let stage: CommandStage
    /// Whether it was answered.
    var isDone = false
    /// Whether the device has reported another value since.
    private(set) var isContradicted = false

    init(expected: JSONObject, commands: [PendingCommand], stage: CommandStage) {
        self.expected = expected
        self.commands = commands
        self.stage = stage
    }

    /// Looks at what the device says after its acknowledgement.
    func hear(_ reported: JSONObject) {
        if expected.contains(where: { key, value in reported[key]?.matches(value) == false }) { isContradicted = true }
    }

    /// Whether a state has all expected values.
    func isMet(by state: JSONObject) -> Bool {
        for (key, value) in expected where state[key]?.matches(value) != true { return false }
        return true
    }
}

extension JSON {
    /// Whether a reported value is the one that was asked for: equal, numbers compared as numbers, objects by the members
    /// that were asked for.
    func matches(_ wanted: JSON) -> Bool {
        switch (self, wanted) {
        case (.object(let reported), .object(let wanted)):
            return wanted.allSatisfy { reported[$0.key]?.matches($0.value) == true }
        case (.array(let reported), .array(let wanted)):
            return reported.count == wanted.count && zip(reported, wanted).allSatisfy { $0.matches($1) }
        case (.bool, _), (_, .bool), (.string, _), (_, .string):
            return self == wanted
        default:
            guard let one = doubleValue, let other = wanted.doubleValue else { return self == wanted }
            return one == other
        }
    }
}
