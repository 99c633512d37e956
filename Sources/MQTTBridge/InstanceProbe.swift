import EventLoop
import HomeModel
import JSON
import MQTT

/// Waits for another gateway's answer to our question who it is.
@Loop
final class InstanceProbe {
    private var continuation: CheckedContinuation<String?, Never>?
    private var timer: LoopTimer?

    /// The other's installation id, or nil where none answers in time.
    func wait(_ time: Duration) async -> String? {
        await withCheckedContinuation { continuation in
            self.continuation = continuation
            timer = LoopTimer(after: time) { [weak self] in self?.finish(nil) }
        }
    }

    func finish(_ installation: String?) {
        timer = nil
        continuation?.resume(returning: installation)
        continuation = nil
    }
}

extension MQTTBridge {
    /// Asks on the base topic who is there, before we listen ourselves.
    ///
    /// - Returns: the installation id of another gateway.
    func findOtherInstance() async -> String? {
        let topic = topics.bridge("response/info")
        _ = await client.subscription([
            MQTTSubscription(topic, noLocal: true, retained: .ignore)
        ])
        let probe = InstanceProbe()
        self.probe = probe
        let question: JSON = ["transaction": .string("probe-\(options.installationID)")]
        let message = MQTTMessage(
            topic: topics.bridge("request/info"),
            payload: question.serialized(),
            qos: .atLeastOnce,
            retain: false
        )
        client.publish(message) { [weak probe] result in
            // Reason 16, no matching subscribers (MQTT 5, 3.4.2.1): nobody is there, no need to wait.
            if case .success(let ack) = result, ack.reasonCode == 16 { probe?.finish(nil) }
        }
        let other = await probe.wait(options.probeWait)
        self.probe = nil
        client.unsubscribe([topic])
        return other
    }

    /// Takes the answer to our question.
    func receivedProbeAnswer(_ message: MQTTMessage) -> Bool {
        guard let probe, message.topic == topics.bridge("response/info") else { return false }
        let answer = try? JSON.parse(message.payload)
        if let other = answer?["data"]?["installation"]?.stringValue, other != options.installationID {
            probe.finish(other)
        }
        return true
    }
}

extension MQTTClient {
    /// Subscribes and waits for the broker's word on each filter; nothing where the connection was lost over it.
    func subscription(_ subscriptions: [MQTTSubscription]) async -> [MQTTSubackCode] {
        await withCheckedContinuation { continuation in
            subscribe(subscriptions) { result in
                continuation.resume(returning: (try? result.get()) ?? [])
            }
        }
    }
}
