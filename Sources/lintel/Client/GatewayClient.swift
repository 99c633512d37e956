import EventLoop
import JSON
import MQTT

/// Speaks to the running gateway over MQTT, as any other client would.
@Loop
final class GatewayClient {
    private let client: MQTTClient
    let baseTopic: String
    private let timeout: Duration
    private var waiting: [String: CheckedContinuation<JSON, any Error>] = [:]
    private var timers: [String: LoopTimer] = [:]
    private var nextCall = 0
    private let mark: String
    private var opening: CheckedContinuation<Void, any Error>?
    /// Messages of ``listen(to:_:)``.
    private var listener: (@Loop (MQTTMessage) -> Void)?
    /// Called when the connection to the broker is lost, and when it is back.
    var onConnection: (@Loop (_ isUp: Bool) -> Void)?

    private init(_ options: MQTTOptions, baseTopic: String, timeout: Duration) {
        client = MQTTClient(options)
        self.baseTopic = baseTopic
        self.timeout = timeout
        mark = "cli-\(UInt32.random(in: 0 ... .max))"
    }

    /// Connects to the broker.
    ///
    /// - Throws: ``Failure`` with exit 4 where the broker cannot be reached in time.
    static func connect(_ options: MQTTOptions, baseTopic: String, timeout: Duration) async throws -> GatewayClient {
        let gateway = GatewayClient(options, baseTopic: baseTopic, timeout: timeout)
        try await gateway.open(host: options.host, port: options.port)
        return gateway
    }

    private func open(host: String, port: UInt16) async throws {
        let deadline = LoopTimer(after: timeout) { [self] in
            let failure = Failure(.unreachable, "The broker at \(host):\(port) does not answer.")
            opening?.resume(throwing: failure)
            opening = nil
        }
        defer { deadline.cancel() }
        client.onMessage = { [weak self] in self?.received($0) }
        client.onState = { [weak self] state in
            guard let self else { return }
            switch state {
            case .connected:
                opening?.resume()
                opening = nil
                onConnection?(true)
            case .disconnected(let reason, _):
                opening?.resume(
                    throwing: Failure(
                        .unreachable,
                        "The broker at \(host):\(port): \(reason).",
                        hint: "Is the broker running, and is the configuration the gateway's?"
                    )
                )
                opening = nil
                onConnection?(false)
            case .connecting, .stopped: break
            }
        }
        try await withCheckedThrowingContinuation { continuation in
            opening = continuation
            client.start()
        }
        try await subscribe(["\(baseTopic)/bridge/response/#", "\(baseTopic)/device/+/response"])
    }

    func close() async { await client.stop() }

    /// Sends a request to the gateway and waits for its answer.
    ///
    /// - Parameter patience: for requests that the gateway itself may take long over; the user's time limit, where longer.
    func request(
        _ path: String,
        _ arguments: JSONObject = JSONObject(),
        within patience: Duration = .zero
    ) async throws -> JSON {
        try await call("\(baseTopic)/bridge/request/\(path)", arguments, within: max(timeout, patience))
    }

    /// Sends a command to a device and waits for its answer.
    func command(_ device: String, _ leaf: String, _ payload: JSONObject) async throws -> JSON {
        try await call("\(baseTopic)/device/\(device)/\(leaf)", payload, within: timeout)
    }

    /// Hears all messages of filters, retained ones first, until the process ends.
    func listen(to filters: [String], _ body: @escaping @Loop (MQTTMessage) -> Void) async throws {
        listener = body
        try await subscribe(filters)
    }

    private func subscribe(_ filters: [String]) async throws {
        let codes = try await withCheckedThrowingContinuation { continuation in
            client.subscribe(filters.map { MQTTSubscription($0, retainAsPublished: true) }) {
                continuation.resume(with: $0.mapError { $0 })
            }
        }
        for (filter, code) in zip(filters, codes) where code.isRefusal {
            throw Failure(.unreachable, "The broker does not let this user subscribe to \(filter).")
        }
    }

    private func call(_ topic: String, _ payload: JSONObject, within patience: Duration) async throws -> JSON {
        nextCall += 1
        let transaction = "\(mark)-\(nextCall)"
        var payload = payload
        payload["transaction"] = .string(transaction)
        let message = MQTTMessage(
            topic: topic,
            payload: JSON.object(payload).serialized(),
            qos: .atLeastOnce,
            properties: MQTTProperties(
                contentType: "application/json",
                isText: true,
                userProperties: [.init(name: "source", value: "cli")]
            )
        )
        return try await withCheckedThrowingContinuation { continuation in
            waiting[transaction] = continuation
            timers[transaction] = LoopTimer(after: patience) { [weak self] in
                guard let self else { return }
                finish(
                    transaction,
                    .failure(
                        Failure(
                            .unreachable,
                            "No gateway answers on \(self.baseTopic).",
                            hint: "Is lintel running, with this broker and base topic?"
                        )
                    )
                )
            }
            client.publish(message) { [weak self] result in
                guard case .failure(let error) = result else { return }
                self?.finish(transaction, .failure(Failure(.unreachable, "The broker refused the request: \(error).")))
            }
        }
    }

    private func received(_ message: MQTTMessage) {
        if message.topic.hasSuffix("/response") || message.topic.hasPrefix("\(baseTopic)/bridge/response/"),
            let answer = try? JSON.parse(message.payload), let mark = answer["transaction"]?.stringValue,
            waiting[mark] != nil
        {
            finish(mark, .success(answer))
        }
        listener?(message)
    }

    private func finish(_ transaction: String, _ result: Result<JSON, any Error>) {
        timers.removeValue(forKey: transaction)?.cancel()
        waiting.removeValue(forKey: transaction)?.resume(with: result)
    }
}
