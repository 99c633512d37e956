import EventLoop
package import HomeModel
package import Hub
import JSON
import MQTT

extension MQTTBridge {
    /// How long a session may be seen after its last word, at a broker that knows MQTT 5; the hub lets go of it, and we
    /// clear it, no later.
    static let pairingExpirySeconds: UInt32 = 900

    package func pairingChanged(_ pairing: Pairing) {
        guard connection != nil else { return }
        publishPairing(pairing)
    }

    package func pairingForgotten(_ pairing: PairingID) {
        // Without a connection the ledger keeps the topic; it is cleared after the next connect.
        retained.clear(owner: Self.owner(of: pairing))
    }

    /// All sessions that the hub shows.
    func publishPairings() {
        for pairing in hub.pairingSessions { publishPairing(pairing) }
    }

    private func publishPairing(_ pairing: Pairing) {
        counters.published += 1
        var properties = MQTTProperties.json
        properties.expirySeconds = Self.pairingExpirySeconds
        retained.publish(
            MQTTMessage(
                topic: topics.bridge("pairing/\(pairing.id.text)"),
                payload: JSON.object(pairing.payload).serialized(),
                qos: .atLeastOnce,
                retain: true,
                properties: properties
            ),
            owner: Self.owner(of: pairing.id)
        )
    }

    private static func owner(of pairing: PairingID) -> String { "pairing/\(pairing.text)" }
}
