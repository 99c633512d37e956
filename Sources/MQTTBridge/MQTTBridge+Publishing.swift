package import DeviceInterface
import EventLoop
package import HomeModel
package import Hub
import JSON
import MQTT

extension MQTTBridge: HubObserver {
    package func stateChanged(_ device: Device) {
        guard connection != nil else { return }
        guard client.outstanding < Self.maxOutstanding else {
            // The broker is slow: only the newest state matters, and it goes out when there is room.
            if !staleStates.insert(device.id).inserted { counters.coalesced += 1 }
            scheduleBacklog()
            return
        }
        publishState(device)
    }

    package func connectivityChanged(_ device: Device) {
        guard connection != nil else { return }
        publishAvailability(device)
        publishDescription(device)
        scheduleIndex()
    }

    package func deviceChanged(_ device: Device) {
        guard connection != nil else { return }
        publishState(device)
        publishAvailability(device)
        publishDescription(device)
        scheduleIndex()
    }

    package func deviceRemoved(_ device: DeviceID) {
        guard let known = deviceTopics.removeValue(forKey: device) else { return }
        staleStates.remove(device)
        lastPublished[known.description] = nil
        lastPublished[known.availability] = nil
        // Without a connection the ledger keeps the topics; they are cleared after the next connect.
        guard connection != nil else { return }
        retained.clear(owner: known.owner)
        scheduleIndex()
    }

    package func eventHappened(_ device: Device, _ event: EventReport) {
        var payload: JSONObject = ["event_type": .string(event.event), "at": .string(event.at.description)]
        if case .object(let data) = event.data {
            for (key, value) in data where payload[key] == nil { payload[key] = value }
        } else if !event.data.isNull {
            payload["data"] = event.data
        }
        publishPassing(payload, on: topics.device(device.id.text, "event"), expirySeconds: 60)
    }

    package func homesChanged() {
        guard connection != nil else { return }
        publishChanged(hub.homesJSON, on: topics.bridge("homes"), owner: "bridge")
    }

    package func pluginChanged(_ plugin: PluginID) {
        guard connection != nil, let summary = hub.plugins?.summaries.first(where: { $0.id == plugin }) else { return }
        publishPlugin(summary)
    }

    package func happened(_ event: HubEvent) {
        guard let object = event.json.objectValue else { return }
        publishPassing(object, on: topics.bridge("event"), expirySeconds: 60)
    }

    // MARK: - Everything

    /// The gateway's own topics, apart from `state` and `health`.
    func publishGateway() {
        publishChanged(info, on: topics.bridge("info"), owner: "bridge")
        publishChanged(hub.homesJSON, on: topics.bridge("homes"), owner: "bridge")
        for summary in hub.plugins?.summaries ?? [] { publishPlugin(summary) }
        publishPairings()
        publishIndex()
    }

    /// All devices, in slices between which the loop does other work.
    func publishAllDevices() async {
        for (index, device) in hub.devices.enumerated() {
            publishState(device)
            publishAvailability(device)
            publishDescription(device)
            if index % 32 == 31 {
                await Task.yield()
                if Task.isCancelled { return }
            }
        }
    }

    /// `bridge/info`.
    var info: JSONObject {
        var info: JSONObject = ["version": .string(options.version), "api": .integer(Int64(BridgeOptions.api))]
        info["installation"] = .string(options.installationID)
        info["base_topic"] = .string(options.baseTopic)
        info["started_at"] = .string(options.startedAt.description)
        if let connection { info["mqtt"] = ["version": .string(connection.version.name)] }
        for (key, value) in extraInfo?() ?? [:] { info[key] = value }
        return info
    }

    /// `bridge/health`.
    var health: JSONObject {
        var health = counters.json
        health["devices"] = .integer(Int64(hub.devices.count))
        health["devices_online"] = .integer(Int64(hub.devices.count { $0.connectivity.isOnline }))
        for (key, value) in extraHealth?() ?? [:] { health[key] = value }
        return health
    }

    func publishHealth() {
        guard connection != nil else { return }
        let message = MQTTMessage(
            topic: topics.bridge("health"),
            payload: JSON.object(health).serialized(),
            qos: .atMostOnce,
            retain: true,
            properties: .json
        )
        counters.published += 1
        retained.publish(message, owner: "bridge")
    }

    // MARK: - One thing

    func topics(of device: Device) -> DeviceTopics {
        if let known = deviceTopics[device.id] { return known }
        let made = DeviceTopics(device.id, in: topics)
        deviceTopics[device.id] = made
        return made
    }

    func publishState(_ device: Device) {
        let topics = topics(of: device)
        staleStates.remove(device.id)
        publishRetained(device.statePayload, on: topics.state, owner: topics.owner)
    }

    private func publishAvailability(_ device: Device) {
        let topics = topics(of: device)
        let text = device.connectivity.isOnline ? "online" : "offline"
        // Once, also where the reason or the description changes while it stays as it is.
        guard lastPublished.updateValue(text.hashValue, forKey: topics.availability) != text.hashValue else { return }
        publishText(text, on: topics.availability, owner: topics.owner)
    }

    private func publishDescription(_ device: Device) {
        let topics = topics(of: device)
        publishChanged(device.details, on: topics.description, owner: topics.owner)
    }

    private func publishPlugin(_ summary: PluginSummary) {
        let object = summary.json(devices: hub.deviceCount(of: summary.id))
        publishChanged(object, on: topics.bridge("plugin/\(summary.id.text)"), owner: "plugin/\(summary.id.text)")
    }

    private func publishIndex() {
        let devices = JSON.array(hub.devices.map { .object($0.summary) })
        publishChanged(["devices": devices], on: topics.bridge("devices"), owner: "bridge")
    }

    /// Gathers changes of the index: many devices that join make one message.
    private func scheduleIndex() {
        guard indexTimer == nil else { return }
        indexTimer = LoopTimer(after: options.indexDelay) { [weak self] in
            guard let self else { return }
            indexTimer = nil
            guard connection != nil else { return }
            publishIndex()
            for summary in hub.plugins?.summaries ?? [] { publishPlugin(summary) }
        }
    }

    /// Publishes states that were held back, as the broker takes what is before them.
    private func scheduleBacklog() {
        guard backlogTimer == nil else { return }
        backlogTimer = LoopTimer(after: .milliseconds(5)) { [weak self] in
            guard let self else { return }
            backlogTimer = nil
            guard connection != nil else { return }
            while let id = staleStates.first, client.outstanding < Self.maxOutstanding {
                staleStates.remove(id)
                if let device = hub.device(id) { publishState(device) }
            }
            if !staleStates.isEmpty { scheduleBacklog() }
        }
    }

    /// Publishes a retained object unless it is what was published last.
    private func publishChanged(_ object: JSONObject, on topic: String, owner: String) {
        let payload = JSON.object(object).serialized()
        let hash = payload.hashValue
        guard lastPublished.updateValue(hash, forKey: topic) != hash else { return }
        publishRetained(payload, on: topic, owner: owner)
    }

    func publishText(_ text: String, on topic: String, owner: String) {
        counters.published += 1
        retained.publish(
            MQTTMessage(
                topic: topic,
                payload: Array(text.utf8),
                qos: .atLeastOnce,
                retain: true,
                properties: .text
            ),
            owner: owner
        )
    }

    private func publishRetained(_ payload: [UInt8], on topic: String, owner: String) {
        counters.published += 1
        retained.publish(
            MQTTMessage(topic: topic, payload: payload, qos: .atLeastOnce, retain: true, properties: .json),
            owner: owner
        )
    }

    /// Publishes something that is over when it was heard.
    private func publishPassing(_ object: JSONObject, on topic: String, expirySeconds: UInt32) {
        guard connection != nil else { return }
        counters.published += 1
        var properties = MQTTProperties.json
        properties.expirySeconds = expirySeconds
        client.publish(
            MQTTMessage(
                topic: topic,
                payload: JSON.object(object).serialized(),
                qos: .atLeastOnce,
                retain: false,
                properties: properties
            )
        )
    }

    /// Above so many messages that the broker has not taken, states are coalesced.
    static var maxOutstanding: Int { 2000 }
}
