import EventLoop

/// What we want to receive: remembered over connections, with the calls that wait for the broker's answer.
@Loop
struct SubscriptionBook {
    typealias Completion = @Loop (Result<[MQTTSubackCode], MQTTError>) -> Void

    /// Filters that share QoS and options and so fit one SUBSCRIBE.
    struct Batch: Equatable {
        var filters: [String]
        var qos: MQTTQoS
        var options: Int32
    }

    private struct Call {
        var filters: [String]
        var codes: [String: MQTTSubackCode] = [:]
        var completion: Completion
    }

    /// A SUBSCRIBE stays far below any broker's limit.
    private static let batchLimit = 50

    private var remembered: [MQTTSubscription] = []
    private var calls: [Call] = []
    private var sent: [Int32: [String]] = [:]

    init() {}

    /// Remembers subscriptions, replacing those of equal filter.
    mutating func add(_ subscriptions: [MQTTSubscription], _ completion: Completion?) {
        for subscription in subscriptions {
            remembered.removeAll { $0.filter == subscription.filter }
            remembered.append(subscription)
        }
        guard let completion else { return }
        calls.append(Call(filters: subscriptions.map(\.filter), completion: completion))
    }

    mutating func remove(_ filters: [String]) {
        remembered.removeAll { filters.contains($0.filter) }
    }

    /// All that is remembered, for a new connection, which knows none of it.
    mutating func batchesForNewConnection() -> [Batch] {
        sent.removeAll()
        return Self.batches(remembered)
    }

    static func batches(_ subscriptions: [MQTTSubscription]) -> [Batch] {
        var batches: [Batch] = []
        for subscription in subscriptions {
            let index = batches.firstIndex {
                $0.qos == subscription.qos && $0.options == subscription.options && $0.filters.count < batchLimit
            }
            if let index {
                batches[index].filters.append(subscription.filter)
            } else {
                batches.append(
                    Batch(filters: [subscription.filter], qos: subscription.qos, options: subscription.options)
                )
            }
        }
        return batches
    }

    /// Notes which filters a SUBSCRIBE had.
    mutating func sent(_ id: Int32, _ filters: [String]) {
        sent[id] = filters
    }

    /// Takes the broker's answer.
    ///
    /// - Returns: the codes by filter, and the calls that are complete with them.
    mutating func answered(
        _ id: Int32,
        _ codes: [UInt8]
    ) -> (codes: [(MQTTSubscription, MQTTSubackCode)], finished: [(Completion, [MQTTSubackCode])]) {
        guard let filters = sent.removeValue(forKey: id) else { return ([], []) }
        let answers = Dictionary(zip(filters, codes.map { MQTTSubackCode(rawValue: $0) })) { $1 }
        var finished: [(Completion, [MQTTSubackCode])] = []
        for index in calls.indices {
            calls[index].codes.merge(answers.filter { calls[index].filters.contains($0.key) }) { $1 }
        }
        calls.removeAll { call in
            let codes = call.filters.compactMap { call.codes[$0] }
            guard codes.count == call.filters.count else { return false }
            finished.append((call.completion, codes))
            return true
        }
        let known = remembered.compactMap { subscription in answers[subscription.filter].map { (subscription, $0) } }
        return (known, finished)
    }

    /// Gives the calls up that wait.
    mutating func abandonCalls() -> [Completion] {
        defer { calls.removeAll() }
        return calls.map(\.completion)
    }
}
