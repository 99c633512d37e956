package import EventLoop
package import HomeModel
package import Hub
package import JSON
package import Log
package import MQTT

/// The MQTT door: publishes what the hub knows and brings what people ask to the hub.
@Loop
package final class MQTTBridge {
    let client: MQTTClient
    let hub: Hub
    let log: Log
    let options: BridgeOptions
    let topics: TopicTree
    let retained: RetainedTopics
    /// Members that the composition root adds to `bridge/info` and `bridge/health`.
    package var extraInfo: (@Loop () -> JSONObject)?
    package var extraHealth: (@Loop () -> JSONObject)?

    package internal(set) var counters = BridgeCounters()
    /// The connection, while there is one and the base topic is ours.
    var connection: MQTTConnectionInfo?
    /// Topics of devices, made once each.
    var deviceTopics: [DeviceID: DeviceTopics] = [:]
    /// Devices whose newest state has not been published, since the broker was slow.
    var staleStates: Set<DeviceID> = []
    /// What was last published on topics that change rarely, to leave out repetitions; hashes.
    var lastPublished: [String: Int] = [:]
    /// Topics on which a retained command was met.
    var warnedTopics: Set<String> = []
    /// Command topics that we cleared, whose empty message will come back to us.
    var clearedTopics: Set<String> = []
    private var opening: Task<Void, Never>?
    private var isSubscribed = false
    private var retryTimer: LoopTimer?
    /// What each answer carries besides its payload.
    let responseProperties: MQTTProperties
    private var healthTimer: LoopTimer?
    var indexTimer: LoopTimer?
    var backlogTimer: LoopTimer?
    /// Answers of another instance that a probe waits for.
    var probe: InstanceProbe?

    /// Whether there is a connection to the broker, or about to be one.
    package var isConnected: Bool { client.state != .stopped }

    /// Makes a bridge; nothing happens before ``start()``.
    package init(client: MQTTClient, hub: Hub, ledger: any RetainedLedger, log: Log, options: BridgeOptions) {
        self.client = client
        self.hub = hub
        self.log = log
        self.options = options
        topics = TopicTree(base: options.baseTopic)
        responseProperties = MQTTProperties(
            contentType: "application/json",
            isText: true,
            expirySeconds: 60,
            userProperties: [
                .init(name: "hub-id", value: options.installationID), .init(name: "api", value: "\(BridgeOptions.api)"),
            ]
        )
        retained = RetainedTopics(client: client, ledger: ledger, log: log)
        retained.onRefused = { [weak self] in self?.refused($0, $1) }
        addRequests()
    }

    /// The Last Will that the client must have been given.
    package static func will(baseTopic: String) -> MQTTWill {
        let message = MQTTMessage(
            topic: TopicTree(base: baseTopic).bridge("state"),
            payload: Array("offline".utf8),
            qos: .atLeastOnce,
            retain: true,
            properties: .text
        )
        return MQTTWill(message, delaySeconds: 5)
    }

    /// Reads the ledger and connects; keeps connecting from then on.
    ///
    /// - Throws: what the ledger says.
    package func start() async throws(CommandError) {
        try await retained.load()
        hub.observe(self)
        client.onState = { [weak self] in self?.clientChanged($0) }
        client.onMessage = { [weak self] in self?.received($0) }
        client.start()
    }

    /// Says `offline` and disconnects.
    package func stop() async {
        opening?.cancel()
        healthTimer = nil
        if connection != nil {
            await retained.settle()
            publishText("offline", on: topics.bridge("state"), owner: "bridge")
        }
        await client.stop()
        connection = nil
    }

    private func clientChanged(_ state: MQTTState) {
        switch state {
        case .connected(let info):
            opening?.cancel()
            // The client has subscribed again by now, so that commands, and replayed ones, may come before all else.
            if isSubscribed { connection = info }
            opening = Task { @Loop in await open(info) }
        case .connecting, .stopped:
            break
        case .disconnected(let reason, let retryIn):
            connection = nil
            opening?.cancel()
            staleStates.removeAll()
            log.warning("not connected to the broker", ["reason": "\(reason)", "retry_in": "\(retryIn)"])
        }
    }

    /// Takes the base topic: looks for another instance, subscribes, publishes everything, then says `online`.
    private func open(_ info: MQTTConnectionInfo) async {
        log.notice("connected to the broker", ["mqtt": "\(info.version.name)"])
        // The client subscribes again by itself on later connections.
        if !isSubscribed {
            if let other = await findOtherInstance() {
                await standAside(for: other)
                return
            }
            // Commands may come with the broker's word on the subscription, and want to be answered.
            connection = info
            guard await subscribe(), !Task.isCancelled else { return }
            isSubscribed = true
        }
        connection = info
        lastPublished.removeAll()
        publishGateway()
        await publishAllDevices()
        guard !Task.isCancelled else { return }
        await retained.settle()
        retained.expect(["state", "health"].map(topics.bridge))
        let cleared = retained.clearLeftovers()
        if !cleared.isEmpty { log.notice("cleared retained topics left from before", ["count": "\(cleared.count)"]) }
        publishText("online", on: topics.bridge("state"), owner: "bridge")
        publishHealth()
        healthTimer = LoopTimer(after: options.healthInterval, every: options.healthInterval) { [weak self] in
            self?.publishHealth()
        }
    }

    /// Another gateway has this base topic: leave it alone, and look again in a minute.
    private func standAside(for other: String) async {
        log.error(
            "another gateway uses this base topic; trying again in 60 s",
            ["code": "duplicate_instance", "base_topic": "\(options.baseTopic)", "installation": "\(other)"]
        )
        await client.stop()
        retryTimer = LoopTimer(after: .seconds(60)) { [weak self] in self?.client.start() }
    }

    /// The broker does not take what we publish on a topic: told once each, as it will not take the next one either.
    private func refused(_ topic: String, _ reason: MQTTError) {
        guard counters.refused.count < 1000, counters.refused.insert(topic).inserted else { return }
        log.error(
            "the broker does not take a message; nobody will see this topic",
            ["topic": "\(topic)", "reason": "\(reason)"]
        )
    }

    private func subscribe() async -> Bool {
        let subscriptions = topics.commandFilters.map {
            MQTTSubscription($0, noLocal: true, retainAsPublished: true, retained: .ignore)
        }
        let codes = await client.subscription(subscriptions)
        for (subscription, code) in zip(subscriptions, codes) where code.isRefusal {
            counters.refused.insert(subscription.filter)
            log.error(
                "the broker refused a subscription; commands on it will not be heard",
                ["topic": "\(subscription.filter)", "code": "\(code.rawValue)"]
            )
        }
        return codes.count == subscriptions.count
    }
}
