import EventLoop
import HomeModel
import Hub
import JSON
import Log
import MQTT
import MQTTBridge
import TestSupport

/// A bridge between a house with one lamp and a real broker, and a client that watches.
@Loop
final class BridgeHouse {
    let house: FakeHouse
    let ledger: FakeLedger
    let bridge: MQTTBridge
    private let client: MQTTClient
    let watcher: MQTTClient
    private(set) var messages: [MQTTMessage] = []
    private var waiters: [(isMet: @Loop (MQTTMessage) -> Bool, continuation: CheckedContinuation<MQTTMessage, Never>)] =
        []
    let fact = Fact()

    private init(
        _ house: FakeHouse,
        _ ledger: FakeLedger,
        _ broker: MosquittoBroker,
        _ version: MQTTVersion,
        _ installation: String
    ) {
        self.house = house
        self.ledger = ledger
        var options = MQTTOptions(host: "127.0.0.1", port: broker.port, clientID: "lintel-\(installation)")
        options.will = MQTTBridge.will(baseTopic: "lintel")
        options.versions = .only(version)
        client = MQTTClient(options)
        var bridgeOptions = BridgeOptions(
            baseTopic: "lintel",
            installationID: installation,
            version: "test",
            startedAt: Timestamp(milliseconds: 0)
        )
        bridgeOptions.probeWait = .seconds(3)
        bridgeOptions.indexDelay = .milliseconds(5)
        bridge = MQTTBridge(
            client: client,
            hub: house.hub,
            ledger: ledger,
            log: Log.discarding(),
            options: bridgeOptions
        )
        watcher = MQTTClient(
            MQTTOptions(host: "127.0.0.1", port: broker.port, clientID: "watcher-\(UInt32.random(in: 0 ... .max))")
        )
    }

    /// A house whose bridge says `online`.
    static func online(
        _ broker: MosquittoBroker,
        version: MQTTVersion = .v5,
        house: FakeHouse? = nil,
        ledger: FakeLedger = FakeLedger()
    ) async throws -> BridgeHouse {
        let made = await make(broker, version: version, house: house, ledger: ledger)
        try await made.bridge.start()
        await made.wait("lintel/bridge/state", is: "online")
        return made
    }

    /// A house whose bridge has not been started, and that watches already.
    static func make(
        _ broker: MosquittoBroker,
        version: MQTTVersion = .v5,
        house: FakeHouse? = nil,
        ledger: FakeLedger = FakeLedger(),
        installation: String = "00c0ffee"
    ) async -> BridgeHouse {
        let fresh = if let house { house } else { await FakeHouse() }
        let made = BridgeHouse(fresh, ledger, broker, version, installation)
        made.watcher.onMessage = { [unowned made] in
            made.take($0)
        }
        made.watcher.start()
        await withCheckedContinuation { continuation in
            made.watcher.subscribe([MQTTSubscription("#", retainAsPublished: true)]) { _ in continuation.resume() }
        }
        return made
    }

    func stop() async {
        await bridge.stop()
        await watcher.stop()
    }

    private func take(_ message: MQTTMessage) {
        messages.append(message)
        // Each waiter looks at the new message only: looking at all of them again would be quadratic.
        let met = waiters.filter { $0.isMet(message) }
        if !met.isEmpty { waiters.removeAll { $0.isMet(message) } }
        for waiter in met { waiter.continuation.resume(returning: message) }
        fact.changed()
    }

    /// Waits for a message on a topic that satisfies a condition, and gives it.
    @discardableResult
    func wait(
        _ topic: String,
        where condition: @escaping @Loop (MQTTMessage) -> Bool = { _ in true }
    ) async -> MQTTMessage? {
        if let found = messages.last(where: { $0.topic == topic && condition($0) }) { return found }
        return await withCheckedContinuation { waiters.append(({ $0.topic == topic && condition($0) }, $0)) }
    }

    func wait(_ topic: String, is text: String) async { await wait(topic) { $0.text == text } }

    func publish(_ topic: String, _ payload: String, retain: Bool = false, properties: MQTTProperties = .none) {
        watcher.publish(
            MQTTMessage(
                topic: topic,
                payload: Array(payload.utf8),
                qos: .atLeastOnce,
                retain: retain,
                properties: properties
            )
        )
    }

    /// Waits until the adapter was asked to write so often in all.
    func writes(_ count: Int) async {
        house.adapter.onWrite = { [fact] in fact.changed() }
        await fact.until { [house] in house.adapter.writeCount >= count }
    }

    /// What a client that comes now is given as retained, by topic.
    func retained(at broker: MosquittoBroker) async -> [String: String] {
        let late = MQTTClient(
            MQTTOptions(host: "127.0.0.1", port: broker.port, clientID: "late-\(UInt32.random(in: 0 ... .max))")
        )
        let seen = Fact()
        var found: [String: String] = [:]
        var isDone = false
        late.onMessage = { message in
            if message.topic == "end" { isDone = true } else if message.retain { found[message.topic] = message.text }
            seen.changed()
        }
        late.start()
        await withCheckedContinuation { continuation in
            late.subscribe([MQTTSubscription("#", retainAsPublished: true)]) { _ in continuation.resume() }
        }
        // Retained messages come before anything published after the subscription was acknowledged.
        late.publish(MQTTMessage(topic: "end", payload: [1], qos: .atLeastOnce))
        await seen.until { isDone }
        await late.stop()
        return found
    }
}

extension MQTTMessage {
    var json: JSON? { try? JSON.parse(payload) }
}
