import EventLoop
import MQTT
import TestSupport

/// A client under test, with everything that it reports.
@Loop
final class Probe {
    let client: MQTTClient
    private(set) var states: [MQTTState] = []
    private(set) var messages: [MQTTMessage] = []
    private(set) var answers: [(filter: String, code: MQTTSubackCode)] = []
    let fact = Fact()

    init(_ options: MQTTOptions) {
        client = MQTTClient(options, random: { 0 })
        client.onState = { [unowned self] in
            states.append($0)
            fact.changed()
        }
        client.onMessage = { [unowned self] in
            messages.append($0)
            fact.changed()
        }
        client.onSubscribed = { [unowned self] in
            answers.append(($0.filter, $1))
            fact.changed()
        }
    }

    convenience init(
        _ broker: MosquittoBroker,
        id: String = "probe-\(UInt32.random(in: 0...UInt32.max))",
        _ change: (inout MQTTOptions) -> Void = { _ in }
    ) {
        var options = MQTTOptions(host: "127.0.0.1", port: broker.port, clientID: id)
        change(&options)
        self.init(options)
    }

    /// How often the broker accepted us.
    var connects: Int { states.count { $0.isConnected } }

    /// What the broker said when it accepted us last.
    var info: MQTTConnectionInfo? {
        for state in states.reversed() {
            if case .connected(let info) = state { return info }
        }
        return nil
    }

    /// Why connections ended or did not come about.
    var reasons: [MQTTError] {
        states.compactMap { state in
            if case .disconnected(let reason, _) = state { reason } else { nil }
        }
    }

    /// Starts and waits until the broker has accepted us.
    @discardableResult
    func connected(times: Int = 1) async -> MQTTConnectionInfo? {
        client.start()
        await fact.until { [self] in connects >= times && client.state.isConnected }
        return info
    }

    /// Waits for the first disconnect after a start and says why.
    func failed() async -> MQTTError? {
        client.start()
        await fact.until { [self] in !reasons.isEmpty }
        return reasons.first
    }

    func received(_ count: Int) async -> [MQTTMessage] {
        await fact.until { [self] in messages.count >= count }
        return messages
    }

    func subscribed(_ subscriptions: MQTTSubscription...) async throws -> [MQTTSubackCode] {
        try await withCheckedContinuation { continuation in
            client.subscribe(subscriptions) { continuation.resume(returning: $0) }
        }.get()
    }

    @discardableResult
    func published(_ message: MQTTMessage) async throws -> MQTTPublishAck {
        try await withCheckedContinuation { continuation in
            client.publish(message) { continuation.resume(returning: $0) }
        }.get()
    }
}
