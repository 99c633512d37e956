import EventLoop
import HomeModel
import Hub
import Log
import MQTT

/// Publishes retained messages so that each of their topics can be cleared later, whatever happens in between.
///
/// A topic is in the ledger, for good, before its first message leaves; it goes from the ledger after the broker took the
/// empty message that clears it.
@Loop
final class RetainedTopics {
    private let client: MQTTClient
    private let ledger: any RetainedLedger
    private let log: Log
    /// What the ledger has: owners by topic.
    private var owners: [String: String] = [:]
    /// Topics published since the start; what the ledger has beyond these is left over from before.
    private var current: Set<String> = []
    /// The newest message of each topic whose row is not in the ledger yet.
    private var waiting: [String: (message: MQTTMessage, owner: String)] = [:]
    private var order: [String] = []
    private var adding: Task<Void, Never>?
    /// Called when the broker does not take a message, with its topic and the reason.
    var onRefused: (@Loop (String, MQTTError) -> Void)?

    init(client: MQTTClient, ledger: any RetainedLedger, log: Log) {
        self.client = client
        self.ledger = ledger
        self.log = log
    }

    /// Reads the ledger, once before the first message.
    func load() async throws(CommandError) {
        for entry in try await ledger.topics() { owners[entry.topic] = entry.owner }
    }

    /// All topics of ours that may be at the broker, sorted.
    var topics: [String] { owners.keys.sorted() }

    /// Publishes a retained message of an owner.
    func publish(_ message: MQTTMessage, owner: String) {
        if owners[message.topic] != nil {
            current.insert(message.topic)
            send(message)
            return
        }
        if waiting.updateValue((message, owner), forKey: message.topic) == nil { order.append(message.topic) }
        guard adding == nil else { return }
        adding = Task { @Loop in await addWaiting() }
    }

    private func send(_ message: MQTTMessage) {
        client.publish(message) { [weak self, topic = message.topic] result in
            guard case .failure(let error) = result, error.isRefusal else { return }
            self?.onRefused?(topic, error)
        }
    }

    /// Waits until every message given so far has left or failed.
    func settle() async {
        while let adding { await adding.value }
    }

    /// Clears all topics of an owner.
    func clear(owner: String) {
        for topic in order where waiting[topic]?.owner == owner { waiting[topic] = nil }
        order.removeAll { waiting[$0] == nil }
        for (topic, other) in owners where other == owner { clear(topic) }
    }

    /// Takes topics for ours that are published later in this life.
    func expect(_ topics: [String]) { current.formUnion(topics) }

    /// Clears what is in the ledger and was not published since the start.
    ///
    /// - Returns: those topics.
    @discardableResult
    func clearLeftovers(dryRun: Bool = false) -> [String] {
        let leftovers = owners.keys.filter { !current.contains($0) }.sorted()
        if !dryRun { for topic in leftovers { clear(topic) } }
        return leftovers
    }

    private func clear(_ topic: String) {
        current.remove(topic)
        let empty = MQTTMessage(topic: topic, payload: [], qos: .atLeastOnce, retain: true)
        client.publish(empty) { [weak self] result in
            guard let self, case .success = result, !current.contains(topic), waiting[topic] == nil else { return }
            owners[topic] = nil
            remove([topic])
        }
    }

    private var removing: [String] = []
    private var removal: Task<Void, Never>?

    private func remove(_ topics: [String]) {
        removing += topics
        guard removal == nil else { return }
        removal = Task { @Loop in
            while !removing.isEmpty {
                let batch = removing
                removing = []
                do throws(CommandError) {
                    try await ledger.remove(batch)
                } catch {
                    log.warning("cleared topics stay in the ledger", ["reason": "\(error.message)"])
                }
            }
            removal = nil
        }
    }

    private func addWaiting() async {
        while !order.isEmpty {
            let batch = order
            order = []
            let entries = batch.compactMap { topic in waiting[topic].map { LedgerEntry(topic: topic, owner: $0.owner) }
            }
            do throws(CommandError) {
                try await ledger.add(entries)
            } catch {
                log.error(
                    "retained messages are held back: the ledger cannot be written",
                    ["reason": "\(error.message)"]
                )
                for topic in batch { waiting[topic] = nil }
                continue
            }
            for entry in entries {
                owners[entry.topic] = entry.owner
                guard let newest = waiting.removeValue(forKey: entry.topic) else { continue }
                current.insert(entry.topic)
                send(newest.message)
            }
        }
        adding = nil
    }
}

extension MQTTError {
    /// Whether the broker has said no to a message, and will again: rules, size, quota.
    fileprivate var isRefusal: Bool {
        switch self {
        case .refused, .tooLarge: true
        default: false
        }
    }
}
