import EventLoop
import HomeModel
import Hub
import JSON
import Log
import MQTT

extension MQTTBridge {
    /// Takes a message that somebody published for us.
    func received(_ message: MQTTMessage) {
        if receivedProbeAnswer(message) { return }
        guard let topic = topics.parse(message.topic) else { return }
        // An empty retained message is somebody clearing the topic; without MQTT 5 our own comes back without the flag.
        if message.payload.isEmpty, message.retain || clearedTopics.remove(message.topic) != nil { return }
        counters.received += 1
        var call = IncomingCall(message, on: topic, topics: topics)
        if message.retain, metRetained(message, call) { return }
        do throws(CommandError) {
            try carryOut(topic, message, &call)
        } catch {
            answer(call, CommandAnswer.failed(error))
        }
    }

    /// Carries out a command or request.
    ///
    /// - Parameter call: gets the caller's address and mark as soon as they are read, so that errors go there, too.
    private func carryOut(
        _ topic: IncomingTopic,
        _ message: MQTTMessage,
        _ call: inout IncomingCall
    ) throws(CommandError) {
        call.address = try ReplyAddress(message, fallback: call.address.topic, topics: topics)
        let payload = try CommandPayload(message.payload, allowsText: topic.allowsText, maxBytes: options.commandBytes)
        call.transaction = payload.transaction
        let source = message.source
        switch topic {
        case .request(let path):
            hub.requests.handle(path, payload.content) { [self, call] in answer(call, $0) }
        case .set(let text):
            let object = try payload.object()
            hub.set(try deviceID(text), object, source: source) { [self, call] in answer(call, $0) }
        case .get(let text):
            let names = try payload.object()["properties"]?.arrayValue?.compactMap(\.stringValue)
            hub.get(try deviceID(text), properties: names) { [self, call] in answer(call, $0) }
        case .action(let text, let name):
            let id = try deviceID(text)
            let input: JSON =
                switch payload.content {
                case .empty: .object(JSONObject())
                case .json(let value): value
                case .text(let text): .string(text)
                }
            hub.invoke(id, action: name, input: input, source: source) { [self, call] in answer(call, $0) }
        }
    }

    private func deviceID(_ text: String) throws(CommandError) -> DeviceID {
        guard let id = DeviceID(text) else { throw .unknownDevice(text) }
        return id
    }

    /// A command that carries the retain flag: people and programs send those by mistake, and lights then switch at each
    /// restart.
    ///
    /// - Returns: whether it must not be carried out: a 3.1.1 broker sets the flag only on what it replays to a new
    ///   subscriber; with MQTT 5 we asked for no replay, so the command is live and is carried out this once.
    private func metRetained(_ message: MQTTMessage, _ call: IncomingCall) -> Bool {
        counters.retainedCommands += 1
        client.publish(MQTTMessage(topic: message.topic, payload: [], qos: .atLeastOnce, retain: true))
        if connection?.version == .v311, clearedTopics.count < 1000 { clearedTopics.insert(message.topic) }
        if warnedTopics.count < 1000, warnedTopics.insert(message.topic).inserted {
            log.warning(
                "a command was published with the retain flag; it was cleared at the broker",
                ["topic": "\(message.topic)", "fix": "publish commands without retain"]
            )
        }
        guard connection?.version == .v311 else { return false }
        answer(
            call,
            CommandAnswer.failed(
                CommandError(
                    .retainedCommand,
                    "The command was a retained one from before; it was not carried out.",
                    hint: "Publish commands without the retain flag."
                )
            )
        )
        return true
    }

    private func answer(_ call: IncomingCall, _ answer: CommandAnswer) {
        if case .failed = answer { counters.errors += 1 }
        respond(
            call,
            AnswerEnvelope.encode(answer, transaction: call.transaction, elapsedMs: call.elapsedMs)
        )
    }

    private func answer(_ call: IncomingCall, _ answer: RequestAnswer) {
        if case .failed = answer { counters.errors += 1 }
        respond(call, AnswerEnvelope.encode(answer, transaction: call.transaction, elapsedMs: call.elapsedMs))
    }

    private func respond(_ call: IncomingCall, _ payload: [UInt8]) {
        guard connection != nil else { return }
        counters.published += 1
        var properties = responseProperties
        properties.correlationData = call.address.correlation
        client.publish(
            MQTTMessage(
                topic: call.address.topic,
                payload: payload,
                qos: call.address.qos,
                retain: false,
                properties: properties
            )
        )
    }

    /// Requests that only this door can answer.
    func addRequests() {
        hub.requests.add("info") { [unowned self] _ in info }
        hub.requests.add("health_check") { [unowned self] _ in health.adding("healthy", true) }
        hub.requests.add("mqtt/sweep") { [unowned self] in
            let dryRun = try $0.flag("dry_run")
            let topics = retained.clearLeftovers(dryRun: dryRun)
            return ["dry_run": .bool(dryRun), "topics": .array(topics.prefix(500).map { .string($0) })]
        }
    }
}

/// A command or request on its way, and where its answer goes.
struct IncomingCall: Sendable {
    var address: ReplyAddress
    var transaction: [UInt8]?
    let arrived: MonotonicTime

    @Loop
    init(_ message: MQTTMessage, on topic: IncomingTopic, topics: TopicTree) {
        let fallback =
            switch topic {
            case .request(let path): topics.bridge("response/\(path)")
            case .set(let id), .get(let id), .action(let id, _): topics.device(id, "response")
            }
        address = ReplyAddress(fallback: fallback, message: message)
        arrived = Loop.now
    }

    @Loop var elapsedMs: Int { Int((Loop.now - arrived) / .milliseconds(1)) }
}

extension IncomingTopic {
    /// Whether plain text may stand for a JSON payload.
    var allowsText: Bool {
        if case .request = self { true } else { false }
    }
}

extension MQTTMessage {
    /// Who sent it, as kept with the command: the door, and the name that the sender gave itself.
    var source: String {
        guard let name = properties.user("source"), !name.isEmpty else {
            return "mqtt"
        }
        return "mqtt/\(name.prefix(32))"
    }
}
