import EventLoop

/// The messages that libmosquitto has and whose end is not known yet.
struct PublishQueue {
    typealias Completion = @Loop (Result<MQTTPublishAck, MQTTError>) -> Void

    private var waiting: [Int32: (bytes: Int, completion: Completion?)] = [:]
    private(set) var bytes = 0

    var count: Int { waiting.count }

    mutating func add(_ id: Int32, bytes: Int, _ completion: Completion?) {
        waiting[id] = (bytes, completion)
        self.bytes += bytes
    }

    /// Takes a message out; nil where its id is unknown.
    mutating func remove(_ id: Int32) -> Completion?? {
        guard let entry = waiting.removeValue(forKey: id) else { return nil }
        bytes -= entry.bytes
        return .some(entry.completion)
    }

    /// Takes all messages out, in no particular order.
    mutating func removeAll() -> [Completion] {
        let completions = waiting.values.compactMap(\.completion)
        waiting.removeAll(keepingCapacity: true)
        bytes = 0
        return completions
    }
}
