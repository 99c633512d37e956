import EventLoop
import MQTT

/// The MQTT client of the load: publishes commands and hears states.
@Loop
final class LoadClient {
    private let client: MQTTClient
    /// Gets every message with the moment at which it was taken from the socket.
    var onMessage: (@Loop (String, [UInt8], MonotonicTime) -> Void)?
    /// Publishes that the client or the broker refused.
    private(set) var refused = 0

    private init(port: UInt16, clientID: String) {
        var options = MQTTOptions(host: "127.0.0.1", port: port, clientID: clientID)
        options.maximumOutstanding = 1_000_000
        options.maximumOutstandingBytes = 256 << 20
        client = MQTTClient(options)
    }

    /// Connects and subscribes.
    ///
    /// - Parameter filters: received with QoS 0, so that the load costs little.
    static func connect(port: UInt16, clientID: String, filters: [String]) async throws -> LoadClient {
        let load = LoadClient(port: port, clientID: clientID)
        try await load.start(filters)
        return load
    }

    private func start(_ filters: [String]) async throws {
        client.onMessage = { [weak self] message in self?.onMessage?(message.topic, message.payload, Loop.now) }
        let subscriptions = filters.map { MQTTSubscription($0, qos: .atMostOnce) }
        var isReady = false
        client.subscribe(subscriptions) { _ in isReady = true }
        client.start()
        let deadline = Loop.now + .seconds(10)
        while !isReady {
            guard Loop.now < deadline else {
                throw BenchError.timedOut("the load cannot reach the broker: \(client.state)")
            }
            try await Loop.sleep(for: .milliseconds(1))
        }
    }

    /// Publishes with QoS 1, as commands are meant to be.
    func publish(_ payload: [UInt8], to topic: String) {
        client.publish(MQTTMessage(topic: topic, payload: payload, qos: .atLeastOnce)) { [weak self] result in
            if case .failure = result { self?.refused += 1 }
        }
    }

    /// Messages that the broker has not acknowledged.
    var outstanding: Int { client.outstanding }

    func stop() async {
        await client.stop(within: .seconds(1))
    }
}
