internal import HomeModel
internal import Hub
internal import JSON

/// Notes that wait to be written: the newest state of each device, and commands in order.
struct NoteBuffer {
    /// A state and how often it could not be written because its device was not there yet.
    struct State {
        var state: JSONObject
        var at: Timestamp
        var misses = 0
    }

    /// The most commands kept; at a full disk the oldest go first.
    static let maxCommands = 10_000
    /// How often a state waits for its device before it is dropped.
    static let maxMisses = 5

    private(set) var states: [DeviceID: State] = [:]
    private(set) var commands: [CommandTrace] = []
    private(set) var droppedCommands = 0

    var isEmpty: Bool { states.isEmpty && commands.isEmpty }

    mutating func add(_ note: HouseNote) {
        switch note {
        case .state(let device, let state, let at): states[device] = State(state: state, at: at)
        case .command(let trace):
            commands.append(trace)
            dropOldestCommands()
        }
    }

    /// Takes everything out.
    mutating func take() -> NoteBuffer {
        var taken = NoteBuffer()
        swap(&taken, &self)
        return taken
    }

    /// Puts notes back that could not be written; what has come in since is newer.
    mutating func putBack(_ older: NoteBuffer) {
        states.merge(older.states) { newer, _ in newer }
        commands = older.commands + commands
        droppedCommands += older.droppedCommands
        dropOldestCommands()
    }

    /// Puts a state back whose device is not there; it may be on its way.
    mutating func putBackMissed(_ device: DeviceID, _ state: State) {
        guard states[device] == nil, state.misses + 1 < Self.maxMisses else { return }
        states[device] = state
        states[device]?.misses += 1
    }

    /// Forgets what is known of a removed device.
    mutating func forget(_ device: DeviceID) {
        states[device] = nil
        commands.removeAll { $0.device == device }
    }

    private mutating func dropOldestCommands() {
        guard commands.count > Self.maxCommands else { return }
        // A tenth at once, so that a full buffer does not move all its elements at each command.
        let dropped = commands.count - Self.maxCommands * 9 / 10
        commands.removeFirst(dropped)
        droppedCommands += dropped
    }
}
