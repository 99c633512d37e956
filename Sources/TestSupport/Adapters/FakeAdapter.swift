package import DeviceInterface
package import EventLoop
import Glibc
package import HomeModel
package import JSON

/// An adapter of two lamps that exist only in memory, and one that cannot be reached; does all that the interface has.
///
/// Configuration: `invalid` makes `initialize` refuse it, `rejected` makes `start` refuse the account, `needs_restart`
/// makes `configure` ask for a restart. What ``FakePairing`` brought in comes again at each start.
@Loop
package final class FakeAdapter: DeviceAdapter {
    /// A lamp that answers.
    package nonisolated static let lamp = VendorID("fake lamp/1")
    /// Another one.
    package nonisolated static let otherLamp = VendorID("fake lamp/2")
    /// A lamp that cannot be reached.
    package nonisolated static let deadLamp = VendorID("fake lamp/3")

    private var host: (any AdapterHost)?
    private var config = JSON.null
    private var known: [KnownDevice] = []
    private var states: [VendorID: JSONObject] = [:]
    private var isStarted = false
    private var pairing: FakePairing?
    private let crash: (@Loop () -> Void)?

    /// - Parameter crash: ends the process, for those who pair by `crash`.
    package init(crash: (@Loop () -> Void)? = nil) { self.crash = crash }

    package func initialize(_ setup: AdapterSetup, host: any AdapterHost) async throws(CommandError) {
        if setup.config["invalid"]?.boolValue == true {
            throw CommandError(.invalidConfig, "fake.invalid: must not be true")
        }
        self.host = host
        config = setup.config
        known = setup.devices
        pairing = FakePairing(host: host, crash: crash) { [weak self] device in self?.bringIn(device) }
    }

    package func start() async throws(CommandError) {
        if config["rejected"]?.boolValue == true { throw CommandError(.authFailed, "The account was refused.") }
        isStarted = true
        let paired = known.map(\.vendorID).filter(FakePairing.wasPaired)
        for device in [Self.lamp, Self.otherLamp, Self.deadLamp] + paired { bringIn(device) }
        host?.statusChanged(AdapterStatus(.ok))
    }

    private func bringIn(_ device: VendorID) {
        host?.deviceDescribed(Self.description(of: device), secrets: Secrets(["key": "secret of \(device)"]))
        if device == Self.deadLamp {
            host?.deviceConnectivity(device, Connectivity(isOnline: false, reason: .unreachable))
            return
        }
        states[device] = ["power": false, "brightness": 128]
        host?.deviceConnectivity(device, .online)
        host?.deviceReported(StateReport(device: device, state: states[device] ?? JSONObject(), at: .wallClock))
    }

    package func stop() async {
        isStarted = false
        await pairing?.cancelAll()
    }

    package func read(_ request: ReadRequest, reply: @escaping Reply<ReadResult>) {
        do throws(CommandError) {
            var state = try state(of: request.device)
            if let wanted = request.properties {
                state = JSONObject(state.filter { wanted.contains($0.key) }.map { ($0.key, $0.value) })
            }
            host?.deviceReported(StateReport(device: request.device, state: state, at: .wallClock))
            reply(.success(ReadResult(state: state, at: .wallClock)))
        } catch {
            reply(.failure(error))
        }
    }

    package func write(_ request: WriteRequest, reply: @escaping Reply<WriteReceipt>) {
        do throws(CommandError) {
            var state = try state(of: request.device)
            for (key, _) in request.values where Self.description(of: request.device).property(key) == nil {
                throw CommandError(.capabilityMissing, "The lamp has no \(key).")
            }
            for (key, value) in request.values { state[key] = value }
            states[request.device] = state
            reply(.success(WriteReceipt(stage: .acknowledged)))
            host?.deviceReported(StateReport(device: request.device, state: request.values, at: .wallClock))
        } catch {
            reply(.failure(error))
        }
    }

    package func invoke(_ request: InvokeRequest, reply: @escaping Reply<JSON>) {
        do throws(CommandError) {
            _ = try state(of: request.device)
            switch request.action {
            case "blink":
                reply(.success(["blinked": request.input["times"] ?? 1]))
            case "press":
                host?.deviceEvent(
                    EventReport(device: request.device, event: "pressed", data: request.input, at: .wallClock)
                )
                reply(.success(.null))
            case "remember":
                remember(request, reply)
            default:
                throw CommandError(.capabilityMissing, "The lamp cannot \(request.action).")
            }
        } catch {
            reply(.failure(error))
        }
    }

    /// Keeps the input with the gateway, reads it back, and answers with what came back.
    private func remember(_ request: InvokeRequest, _ reply: @escaping Reply<JSON>) {
        Task.immediate { @Loop [host] in
            guard let host else { return }
            do throws(CommandError) {
                try await host.storeValue(request.input, key: "fake")
                let value = try await host.storedValue(key: "fake")
                try await host.storeValue(nil, key: "fake")
                guard try await host.storedValue(key: "fake") == nil else {
                    throw CommandError(.internal, "A removed value is still there.")
                }
                try await host.storeSecret("another secret", name: "fake", device: request.device)
                reply(.success(value ?? .null))
            } catch {
                reply(.failure(error))
            }
        }
    }

    package func remove(_ device: VendorID, unpair: Bool) async throws(CommandError) {
        _ = try state(of: device)
        states[device] = nil
        host?.deviceRemoved(device)
    }

    package func configure(_ change: ConfigurationChange) async throws(CommandError) -> ConfigurationResult {
        if let device = change.device { _ = try state(of: device) }
        return ConfigurationResult(needsRestart: change.config?["needs_restart"]?.boolValue ?? false)
    }

    package func startPairing(_ start: PairingStart) async throws(CommandError) {
        guard isStarted, let pairing else { throw CommandError(.deviceOffline, "The adapter is stopped.") }
        try pairing.start(start)
    }

    package func answerPairing(_ session: PairingID, input: JSONObject) async throws(CommandError) {
        guard let pairing else { throw CommandError(.badRequest, "There is no session \(session).") }
        try pairing.answer(session, input)
    }

    package func cancelPairing(_ session: PairingID) async { await pairing?.cancel(session) }

    package func wifiLost(_ session: PairingID, ssid: String) { pairing?.wifiLost(session) }

    package func diagnostics() async -> JSON { ["lamps": JSON(states.count), "known": JSON(known.count)] }

    private func state(of device: VendorID) throws(CommandError) -> JSONObject {
        guard isStarted else { throw CommandError(.deviceOffline, "The adapter is stopped.") }
        if device == Self.deadLamp { throw CommandError(.deviceOffline, "The lamp does not answer.") }
        guard let state = states[device] else { throw CommandError(.deviceNotFound, "There is no such lamp.") }
        return state
    }

    private static func description(of device: VendorID) -> DeviceDescription {
        DeviceDescription(
            vendorID: device,
            name: "Fake lamp",
            kind: .light,
            manufacturer: "Nobody",
            properties: [
                PropertyDescription("power", title: "Power", role: .power, schema: .boolean),
                PropertyDescription(
                    "brightness",
                    title: "Brightness",
                    role: .brightness,
                    schema: .integer(0...255)
                ),
            ],
            actions: [
                ActionDescription("blink", title: "Blink"), ActionDescription("press", title: "Press"),
                ActionDescription("remember", title: "Remember"),
            ],
            events: [EventDescription("pressed", title: "Pressed")]
        )
    }
}

extension Timestamp {
    /// The present moment.
    package static var wallClock: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
