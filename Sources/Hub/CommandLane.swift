import JSON

/// Keeps one device to one write at a time, and only the newest value of each property waiting.
///
/// A value: it decides, the hub acts. `Command` is whatever the hub needs to answer the caller.
struct CommandLane<Command> {
    /// A command that waits for the present write to end.
    struct Waiting {
        /// What is left of it after newer commands took properties over.
        var values: JSONObject
        let command: Command
    }

    /// What to do with a command that has just come.
    enum Decision {
        /// Write it now.
        case send
        /// It waits; these waiting ones have nothing left to write, since it took over their properties.
        case wait(superseded: [Command])
        /// Too many are waiting.
        case refuse
    }

    /// The most commands that may wait at one device.
    static var maxWaiting: Int { 100 }

    /// Whether a write is under way.
    private(set) var isBusy = false
    private var waiting: [Waiting] = []

    /// Takes a command.
    mutating func add(_ values: JSONObject, _ command: Command) -> Decision {
        guard isBusy else {
            isBusy = true
            return .send
        }
        var superseded: [Command] = []
        waiting = waiting.compactMap { older in
            var older = older
            for key in values.keys { older.values[key] = nil }
            guard older.values.isEmpty else { return older }
            superseded.append(older.command)
            return nil
        }
        guard waiting.count < Self.maxWaiting else { return .refuse }
        waiting.append(Waiting(values: values, command: command))
        return .wait(superseded: superseded)
    }

    /// The write under way ended.
    ///
    /// - Returns: the commands to write next as one unit, in order, with all their values; nil where none waits.
    mutating func finish() -> (values: JSONObject, commands: [Waiting])? {
        guard !waiting.isEmpty else {
            isBusy = false
            return nil
        }
        let next = waiting
        waiting = []
        if next.count == 1, let only = next.first { return (only.values, next) }
        var values = JSONObject()
        for entry in next {
            for (key, value) in entry.values {
                // Later commands come later in the object, too: where two speak of a lamp's mode, the last wins.
                values[key] = nil
                values[key] = value
            }
        }
        return (values, next)
    }

    /// Takes out all that wait, such as when the device went away.
    mutating func drain() -> [Command] {
        defer { waiting = [] }
        return waiting.map(\.command)
    }
}
