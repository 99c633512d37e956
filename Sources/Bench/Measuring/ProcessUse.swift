import JSON

/// The processor time of a set of processes between two moments, by name.
struct ProcessUse: Sendable {
    private(set) var seconds: [(name: String, seconds: Double)]

    /// Reads what the processes have used up to now.
    init(_ pids: [Int32]) {
        seconds = pids.map { (ProcessMeter(pid: $0).name, ProcessMeter(pid: $0).processorSeconds) }
    }

    private init(seconds: [(name: String, seconds: Double)]) {
        self.seconds = seconds
    }

    /// What was used since `earlier`, which has the same processes.
    func since(_ earlier: ProcessUse) -> ProcessUse {
        ProcessUse(seconds: zip(seconds, earlier.seconds).map { ($0.name, $0.seconds - $1.seconds) })
    }

    var total: Double { seconds.reduce(0) { $0 + $1.seconds } }

    /// Seconds per 1,000 messages, by process and in all.
    func json(per messages: Int) -> JSON {
        let scale = messages > 0 ? 1000 / Double(messages) : .nan
        var object = JSONObject(seconds.map { ($0.name, JSON.rounded($0.seconds * scale)) })
        object["total"] = .rounded(total * scale)
        return .object(object)
    }
}
