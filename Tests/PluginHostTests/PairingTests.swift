import DeviceInterface
import EventLoop
import HomeModel
import JSON
import PluginHost
import PluginWire
import TestSupport
import Testing

@Suite("Pairing behind the plugin wire", .timeLimit(.minutes(2)))
struct PairingTests {
    private static let session = PairingID.derived(from: "p-7c1e", isTaken: { _ in false }, digest: { $0 })

    private static func start(
        _ method: String,
        from: String? = nil,
        _ input: JSONObject = JSONObject(),
        session: PairingID = session
    ) -> PairingStart {
        PairingStart(session: session, method: method, home: nil, from: from, input: input)
    }

    /// Runs `body` with the adapter of a fake plugin and the host that it reports to.
    @Loop private static func with(
        _ body: @Loop (any DeviceAdapter, RecordingHost, TestHouse, PluginHost) async throws -> Void
    ) async throws {
        let id = try TestHouse.plugin("fake")
        try await TestHouse.with { house, host in
            try await body(try await house.adapter(id), house.recordingHost(id), house, host)
        }
    }

    @Test("the gateway knows a plugin's methods from its manifest, also while it does not run")
    @Loop func methods() async throws {
        try await Self.with { _, _, _, host in
            let id = try TestHouse.plugin("fake")
            #expect(host.manifest(of: id)?.pairing == FakePairing.methods)
            await host.stop()
            #expect(host.manifest(of: id)?.pairing.count == FakePairing.methods.count)
            #expect(host.manifest(of: try TestHouse.plugin("other")) == nil)
        }
    }

    @Test("one device, or two, come in and can be used")
    @Loop func succeeds() async throws {
        try await Self.with { adapter, records, _, _ in
            try await adapter.startPairing(Self.start("quick"))
            let end = await records.end(of: Self.session)
            #expect(end?.state == .succeeded && end?.devices == [FakePairing.device("quick")])
            #expect(await adapter.read(FakePairing.device("quick")).isSuccess)
            try await adapter.startPairing(Self.start("batch"))
            _ = await records.progress(of: Self.session) { $0.devices.count == 2 }
            #expect(records.descriptions.keys.contains(FakePairing.device("batch", 2)))
        }
    }

    @Test("a question is asked again where the password is wrong, with the reason")
    @Loop func asks() async throws {
        try await Self.with { adapter, records, _, _ in
            try await adapter.startPairing(Self.start("ask"))
            let first = await records.progress(of: Self.session) { $0.state == .needsInput }
            #expect(first?.needsInput?.fields.map(\.name) == ["ssid", "password"])
            #expect(first?.needsInput?.error == nil)
            #expect(first?.data["networks"]?[0]?["ssid"] == "home")
            try await adapter.answerPairing(Self.session, input: ["ssid": "guest", "password": "wrong"])
            let second = await records.progress(of: Self.session) { $0.needsInput?.error != nil }
            #expect(second?.needsInput?.error?.code == .wrongPassword)
            #expect(second?.needsInput?.fields.first?.fallback == "guest")
            try await adapter.answerPairing(Self.session, input: ["ssid": "guest", "password": "right one"])
            #expect(await records.end(of: Self.session)?.state == .succeeded)
        }
    }

    @Test("a failure arrives with all its facts, and a new try from its step succeeds")
    @Loop func failsAndRetries() async throws {
        try await Self.with { adapter, records, _, _ in
            try await adapter.startPairing(Self.start("fail", ["ssid": "home", "password": "a canary"]))
            let failure = try #require(await records.end(of: Self.session)?.failure)
            #expect(failure.code == .wrongPassword && failure.vendorCode == "207211")
            #expect(failure.step == "send_credentials" && failure.retryFrom == "send_credentials")
            #expect(failure.hint != nil)
            records.clear()
            try await adapter.startPairing(Self.start("fail", from: failure.retryFrom))
            #expect(await records.end(of: Self.session)?.state == .succeeded)
            #expect(!records.progress(of: Self.session).contains { $0.step == "query_device" })
        }
    }

    @Test("the radio is scanned, moved and brought back")
    @Loop func radio() async throws {
        try await Self.with { adapter, records, _, _ in
            try await adapter.startPairing(Self.start("radio"))
            #expect(await records.end(of: Self.session)?.state == .succeeded)
            #expect(
                records.radio.calls == [
                    .scan(Self.session), .join(Self.session, ssid: "Fake-1234", passphrase: "fake-hotspot"),
                    .leave(Self.session),
                ]
            )
            #expect(records.progress(of: Self.session).contains { $0.data["address"] == "127.0.0.1" })
            records.clear()
            records.radio.failure = CommandError(.capabilityMissing, "There is no radio.")
            try await adapter.startPairing(Self.start("radio"))
            let end = await records.end(of: Self.session)
            #expect(end?.failure?.code == PairingCode(.capabilityMissing))
            #expect(end?.failure?.message == "There is no radio.")
        }
    }

    @Test("a plugin hears that the network of its session is gone")
    @Loop func lost() async throws {
        try await Self.with { adapter, records, _, _ in
            try await adapter.startPairing(Self.start("radio", ["hold": true]))
            _ = await records.progress(of: Self.session) { $0.step == "send_credentials" }
            adapter.wifiLost(Self.session, ssid: "Fake-1234")
            #expect(await records.end(of: Self.session)?.failure?.code == .noChannel)
        }
    }

    @Test("cancelling a session takes back the move of the radio that it waits for")
    @Loop func cancelledJoin() async throws {
        try await Self.with { adapter, records, _, _ in
            records.radio.holdsJoins = true
            try await adapter.startPairing(Self.start("radio"))
            await records.until { records.radio.calls.count == 2 }
            await adapter.cancelPairing(Self.session)
            await records.until { records.radio.cancelled == [Self.session] }
            _ = await adapter.diagnostics()
            #expect(records.progress(of: Self.session).last?.step == "join_device_ap")
            #expect(!records.progress(of: Self.session).contains { $0.state.isFinal })
        }
    }

    @Test("a session that runs for long is cancelled at once, and others go on beside it")
    @Loop func slow() async throws {
        let other = PairingID.derived(from: "p-2", isTaken: { _ in false }, digest: { $0 })
        try await Self.with { adapter, records, _, _ in
            try await adapter.startPairing(Self.start("slow"))
            _ = await records.progress(of: Self.session) { $0.percent == 0 }
            try await adapter.startPairing(Self.start("quick", session: other))
            #expect(await records.end(of: other)?.state == .succeeded)
            await adapter.cancelPairing(Self.session)
            #expect(!records.progress(of: Self.session).contains { $0.state.isFinal })
            try await adapter.startPairing(Self.start("quick"))
            #expect(await records.end(of: Self.session)?.state == .succeeded)
        }
    }

    @Test("a plugin that crashes in mid-session answers plugin_down until it is back, without its sessions")
    @Loop func crash() async throws {
        let id = try TestHouse.plugin("fake")
        var times = SupervisionTimes.brisk
        times.restart.firstDelay = .seconds(60)
        times.restart.longestDelay = .seconds(60)
        // The second crash in a row is followed by a wait, in which the plugin is down for sure.
        try await TestHouse.with(times: times) { house, host in
            let adapter = try await house.adapter(id)
            let records = house.recordingHost(id)
            try await adapter.startPairing(Self.start("crash"))
            _ = await records.progress(of: Self.session) { $0.step == "find_on_lan" }
            _ = await house.until(id) { $0.restarts == 1 && $0.state == .running }
            #expect(await Self.answerCode(adapter) == .badRequest)
            try await adapter.startPairing(Self.start("crash"))
            _ = await house.until(id) { $0.restarts == 2 && $0.state == .backoff }
            #expect(await Self.answerCode(adapter) == .pluginDown)
            let error = await #expect(throws: CommandError.self) {
                try await adapter.startPairing(Self.start("quick"))
            }
            #expect(error?.code == .pluginDown && error?.isRetryable == true)
            await adapter.cancelPairing(Self.session)
            adapter.wifiLost(Self.session, ssid: "x")
            #expect(!records.progress(of: Self.session).contains { $0.state.isFinal })
            #expect(host.manifest(of: id) != nil)
        }
    }

    /// What becomes of an answer.
    @Loop private static func answerCode(_ adapter: any DeviceAdapter) async -> ErrorCode? {
        do throws(CommandError) { try await adapter.answerPairing(session, input: [:]) } catch { return error.code }
        return nil
    }
}

extension Result {
    fileprivate var isSuccess: Bool {
        if case .success = self { true } else { false }
    }
}
