import EventLoop
import JSON
import MQTT
import TestSupport

/// A program that speaks to the gateway as any other MQTT client would, and keeps all that it hears.
@Loop
final class TestClient {
    /// A message and when it came.
    struct Heard {
        let message: MQTTMessage
        let at: MonotonicTime

        var topic: String { message.topic }
        var text: String { message.text }
        var json: JSON? { try? JSON.parse(message.payload) }
    }

    let base: String
    let version: MQTTVersion
    private(set) var heard: [Heard] = []
    /// The newest message of each topic; cleared topics are missing.
    private(set) var newest: [String: Heard] = [:]
    let client: MQTTClient
    private let facts: Facts
    private let answers: String
    private var pending: [String: JSON?] = [:]
    private var codes: [MQTTSubackCode]?
    private var nextCall = 0

    private init(_ options: MQTTOptions, version: MQTTVersion, base: String, facts: Facts) {
        self.base = base
        self.version = version
        self.facts = facts
        client = MQTTClient(options)
        answers = "answers/\(options.clientID)"
    }

    /// Connects, and returns once the subscriptions stand.
    ///
    /// - Parameter filters: what to listen to; nil for all below the base topic.
    static func connect(
        _ broker: MosquittoBroker,
        facts: Facts,
        version: MQTTVersion = .v5,
        base: String = "lintel",
        filters: [String]? = nil,
        adjust: (inout MQTTOptions) -> Void = { _ in }
    ) async throws -> TestClient {
        let name = "test-\(UInt32.random(in: 0 ... .max))"
        var options = MQTTOptions(host: "127.0.0.1", port: broker.port, clientID: name)
        options.versions = .only(version)
        adjust(&options)
        let client = TestClient(options, version: version, base: base, facts: facts)
        try await client.open(filters ?? ["\(base)/#"])
        return client
    }

    private func open(_ filters: [String]) async throws {
        client.onMessage = { [weak self] in self?.received($0) }
        client.onState = { [weak self] _ in self?.facts.changed() }
        client.start()
        client.subscribe((filters + [answers]).map { MQTTSubscription($0) }) { [weak self] result in
            self?.codes = try? result.get()
            self?.facts.changed()
        }
        try await facts.until("the test's client has subscribed") { [self] in codes != nil }
    }

    func close() async { await client.stop(within: .seconds(1)) }

    private func received(_ message: MQTTMessage) {
        if message.topic == answers {
            let mark = message.properties.correlationData.map { String(decoding: $0, as: UTF8.self) } ?? ""
            if pending[mark] != nil { pending[mark] = .some(try? JSON.parse(message.payload)) }
        } else {
            let heard = Heard(message: message, at: .now)
            self.heard.append(heard)
            newest[message.topic] = message.payload.isEmpty ? nil : heard
            if !pending.isEmpty, let answer = heard.json, let mark = answer["transaction"]?.stringValue,
                pending[mark] != nil, message.topic.contains("/response")
            {
                pending[mark] = .some(answer)
            }
        }
        facts.changed()
    }

    // MARK: What was heard

    /// The newest message of a topic below the base topic, as JSON.
    func json(_ leaf: String) -> JSON? { newest["\(base)/\(leaf)"]?.json }

    /// The newest message of a topic below the base topic, as text.
    func text(_ leaf: String) -> String? { newest["\(base)/\(leaf)"]?.text }

    /// All messages of a topic below the base topic, from a moment on.
    func all(_ leaf: String, since moment: MonotonicTime? = nil) -> [Heard] {
        let topic = "\(base)/\(leaf)"
        return heard.filter { heard in heard.topic == topic && moment.map { heard.at >= $0 } ?? true }
    }

    /// Forgets everything heard so far.
    func forget() {
        heard = []
        newest = [:]
    }

    // MARK: Saying

    /// Publishes a message below the base topic.
    func publish(_ leaf: String, _ payload: String, retain: Bool = false, properties: MQTTProperties = .none) {
        publish(leaf, Array(payload.utf8), retain: retain, properties: properties)
    }

    /// Publishes bytes below the base topic.
    func publish(_ leaf: String, _ payload: [UInt8], retain: Bool = false, properties: MQTTProperties = .none) {
        client.publish(
            MQTTMessage(
                topic: "\(base)/\(leaf)",
                payload: payload,
                qos: .atLeastOnce,
                retain: retain,
                properties: properties
            )
        )
    }

    /// Sends a command or request and waits for its answer, by the Response Topic or by the transaction.
    func call(
        _ leaf: String,
        _ payload: JSONObject = [:],
        within patience: Duration = Facts.patience
    ) async throws -> JSON {
        let mark = send(leaf, payload)
        defer { pending[mark] = nil }
        try await facts.until("an answer to \(leaf) \(JSON.object(payload).text)", within: patience) { [self] in
            answer(to: mark) != nil
        }
        return answer(to: mark) ?? .null
    }

    /// Sends a command or request; its answer is ``answer(to:)`` of the mark that is returned.
    func send(_ leaf: String, _ payload: JSONObject = [:]) -> String {
        nextCall += 1
        let mark = "\(client.options.clientID)-\(nextCall)"
        pending[mark] = .some(nil)
        var payload = payload
        payload["transaction"] = .string(mark)
        // Left out where the client speaks 3.1.1, and by the broker where the gateway does.
        let properties = MQTTProperties(responseTopic: answers, correlationData: Array(mark.utf8))
        publish(leaf, JSON.object(payload).text, properties: properties)
        return mark
    }

    /// The answer to what was sent with a mark, once it is there.
    func answer(to mark: String) -> JSON? { pending[mark] ?? nil }

    /// Waits no longer for an answer.
    func forgetAnswer(to mark: String) { pending[mark] = nil }

    func request(_ path: String, _ arguments: JSONObject = [:]) async throws -> JSON {
        try await call("bridge/request/\(path)", arguments)
    }

    func set(_ device: String, _ values: JSONObject) async throws -> JSON {
        try await call("device/\(device)/set", values)
    }
}
