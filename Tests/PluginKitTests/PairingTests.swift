import DeviceInterface
import EventLoop
import HomeModel
import JSON
import PluginWire
import TestSupport
import Testing

@Suite("Pairing in the kit", .timeLimit(.minutes(1)))
struct PairingTests {
    private static let session = PairingID.derived(from: "p-1", isTaken: { _ in false }, digest: { $0 })
    private static let lamp = VendorID("l1")

    @Loop private static func peer() async throws -> (Peer, any AdapterHost) {
        let peer = try Peer()
        var params = Peer.initialize()
        params["secrets"] = ["token": "kept"]
        _ = try await peer.ask("initialize", params)
        return (peer, try #require(peer.adapter.host))
    }

    private static func progress(
        _ state: PairingProgress.State = .running,
        _ percent: Int? = nil,
        devices: [VendorID] = []
    ) -> PairingProgress {
        PairingProgress(session: session, state: state, step: "a", percent: percent, devices: devices)
    }

    /// The progress that arrives until the answer to a ping does.
    @Loop private static func told(by peer: Peer) async throws -> [PairingProgress] {
        var told: [PairingProgress] = []
        let ping = peer.send("ping")
        while true {
            switch try await peer.next() {
            case .notification(let method, let params):
                if case .progress(let note)? = try PluginNote(method: method, params: params) {
                    told.append(note.progress)
                }
            case .response(ping, _): return told
            default: break
            }
        }
    }

    /// What a call throws.
    @Loop private static func error(_ body: @Loop () async throws(CommandError) -> Void) async -> CommandError? {
        do throws(CommandError) { try await body() } catch { return error }
        return nil
    }

    @Test("a session is started, answered and cancelled with all that the gateway gave")
    @Loop func calls() async throws {
        let (peer, _) = try await Self.peer()
        #expect(peer.adapter.secrets == Secrets(["token": "kept"]))
        let params: JSONObject = [
            "session": "p-1", "method": "ap", "home": "cottage", "from": "register", "input": ["ssid": "home"],
        ]
        #expect(try await peer.ask("pairing/start", params) == .response(id: .number(2), result: [:]))
        let start = try #require(peer.adapter.starts.first)
        #expect(start.session == Self.session && start.method == "ap" && start.home?.text == "cottage")
        #expect(start.from == "register" && start.input == ["ssid": "home"])
        #expect(
            try await peer.ask("pairing/answer", ["session": "p-1", "input": ["code": 7]])
                == .response(id: .number(3), result: [:])
        )
        #expect(peer.adapter.answers.first?.input == ["code": 7])
        peer.stream.write(WiFiLostNote(session: Self.session, ssid: "Lamp 1").line)
        var cancelled: [PairingID] = []
        peer.adapter.onCancel = { cancelled.append($0) }
        #expect(
            try await peer.ask("pairing/cancel", ["session": "p-1"]) == .response(id: .number(4), result: [:])
        )
        #expect(cancelled == [Self.session])
        #expect(peer.adapter.lost.map(\.ssid) == ["Lamp 1"])
    }

    @Test("a lost network before the plugin is initialized, or of no session, does no harm")
    @Loop func lostEarly() async throws {
        let peer = try Peer()
        peer.stream.write(WiFiLostNote(session: Self.session, ssid: "Lamp 1").line)
        _ = try await peer.ask("initialize", Peer.initialize())
        peer.stream.write(WireMessage.notification(method: "wifi/lost", params: ["ssid": "x"]).line)
        _ = try await peer.ask("ping")
        #expect(peer.adapter.lost.isEmpty)
    }

    @Test("a session has one end, and nothing of it comes after that")
    @Loop func oneEnd() async throws {
        let (peer, host) = try await Self.peer()
        peer.send("pairing/start", ["session": "p-1", "method": "ap"])
        peer.adapter.onStart = { _ in host.pairingProgressed(Self.progress(.running, 1)) }
        _ = try await Self.told(by: peer)
        for progress in [
            Self.progress(.running, 2), Self.progress(.failed), Self.progress(.succeeded), Self.progress(),
        ] {
            host.pairingProgressed(progress)
        }
        let told = try await Self.told(by: peer)
        #expect(told.map(\.state) == [.running, .failed])
        // The id is free again.
        _ = try await peer.ask("pairing/start", ["session": "p-1", "method": "ap"])
        #expect(peer.adapter.starts.count == 2)
    }

    @Test("progress from inside the start arrives; that of a refused, a cancelled and an unknown session does not")
    @Loop func strangers() async throws {
        let (peer, host) = try await Self.peer()
        host.pairingProgressed(Self.progress(.running, 1))
        peer.adapter.onStart = { (_) throws(CommandError) in
            throw CommandError(.deviceBusy, "No more sessions.")
        }
        guard case .failure(_, let failure) = try await peer.ask("pairing/start", ["session": "p-1", "method": "ap"])
        else {
            Issue.record("it was started")
            return
        }
        #expect(CommandError(failure).code == .deviceBusy)
        host.pairingProgressed(Self.progress(.running, 2))
        #expect(try await Self.told(by: peer).isEmpty)

        peer.adapter.onStart = { _ in host.pairingProgressed(Self.progress(.running, 3)) }
        peer.adapter.onCancel = { _ in host.pairingProgressed(Self.progress(.cancelled)) }
        peer.send("pairing/start", ["session": "p-1", "method": "ap"])
        peer.send("pairing/cancel", ["session": "p-1"])
        let told = try await Self.told(by: peer)
        #expect(told.map(\.state) == [.running, .cancelled])
        host.pairingProgressed(Self.progress(.running, 4))
        #expect(try await Self.told(by: peer).isEmpty)
    }

    @Test("a session that is there already cannot be started again")
    @Loop func twice() async throws {
        let (peer, _) = try await Self.peer()
        _ = try await peer.ask("pairing/start", ["session": "p-1", "method": "ap"])
        guard case .failure(_, let failure) = try await peer.ask("pairing/start", ["session": "p-1", "method": "ap"])
        else {
            Issue.record("it was started twice")
            return
        }
        #expect(CommandError(failure).code == .badRequest)
        #expect(peer.adapter.starts.count == 1)
    }

    @Test("the radio's answers and refusals come back to the adapter")
    @Loop func radio() async throws {
        let (peer, host) = try await Self.peer()
        let scan = Task { @Loop in try await host.scanWiFi(for: Self.session) }
        guard case .request(let id, "wifi/scan", ["session": "p-1"]) = try await peer.next() else {
            Issue.record("no scan")
            return
        }
        peer.stream.write(WireMessage.response(id: id, result: ["networks": [["ssid": "a", "secured": true]]]).line)
        #expect(try await scan.value == [WiFiSighting(ssid: "a", isSecured: true)])

        let join = Task { @Loop in
            try await host.joinWiFi(WiFiJoin(session: Self.session, ssid: "a", passphrase: "secret"))
        }
        guard case .request(let id, "wifi/join", let params) = try await peer.next() else {
            Issue.record("no join")
            return
        }
        #expect(params == ["session": "p-1", "ssid": "a", "passphrase": "secret"])
        let place = WiFiPlace(interface: "wlan0", address: "192.168.4.2", prefix: 24, gateway: "192.168.4.1")
        peer.stream.write(WireMessage.response(id: id, result: WiFiJoinAnswer(place: place).json).line)
        #expect(try await join.value == place)

        let leave = Task { @Loop in
            await Self.error { () async throws(CommandError) in try await host.leaveWiFi(for: Self.session) }
        }
        guard case .request(let id, "wifi/leave", ["session": "p-1"]) = try await peer.next() else {
            Issue.record("no leave")
            return
        }
        let refusal = CommandError(.deviceBusy, "Another session has it.")
        peer.stream.write(WireMessage.failure(id: id, WireFailure(refusal)).line)
        #expect(await leave.value == refusal)

        let odd = Task { @Loop in
            await Self.error { () async throws(CommandError) in _ = try await host.scanWiFi(for: Self.session) }
        }
        guard case .request(let id, "wifi/scan", _) = try await peer.next() else {
            Issue.record("no scan")
            return
        }
        peer.stream.write(WireMessage.response(id: id, result: ["networks": 7]).line)
        #expect(await odd.value?.code == .internal)
    }

    @Test("a join that is given up ends at once, and the gateway is told which")
    @Loop func givenUp() async throws {
        let (peer, host) = try await Self.peer()
        let join = Task { @Loop in
            await Self.error { () async throws(CommandError) in
                _ = try await host.joinWiFi(WiFiJoin(session: Self.session, ssid: "a"))
            }
        }
        guard case .request(let id, "wifi/join", _) = try await peer.next() else {
            Issue.record("no join")
            return
        }
        join.cancel()
        #expect(await join.value?.code == .timeout)
        #expect(try await peer.next() == .notification(method: "$/cancel", params: ["id": id.json]))
        // Its late answer is nobody's.
        peer.stream.write(WireMessage.response(id: id, result: [:]).line)
        #expect(try await Self.told(by: peer).isEmpty)
    }

    @Test("a gateway that does not read gets every progress, in order, the end after the device, when it reads again")
    @Loop func slowGateway() async throws {
        let (peer, host) = try await Self.peer()
        _ = try await peer.ask("pairing/start", ["session": "p-1", "method": "ap"])
        peer.stream.pauseReading()
        let padding = String(repeating: "x", count: 500)
        let describe: @Loop () -> Void = {
            host.deviceDescribed(DeviceDescription(vendorID: Self.lamp, name: "Lamp"), secrets: nil)
        }
        for number in 0..<3000 {
            let state: JSONObject = ["n": JSON(number), "padding": .string(padding)]
            host.deviceReported(StateReport(device: Self.lamp, state: state, at: Timestamp(milliseconds: 1)))
            if number % 100 == 0 { host.pairingProgressed(Self.progress(.running, number / 100)) }
            if number == 2000 { describe() }
        }
        host.pairingProgressed(Self.progress(.succeeded, devices: [Self.lamp]))
        host.deviceConnectivity(Self.lamp, .online)
        describe()
        peer.stream.resumeReading()
        var lines: [String] = []
        while lines.last != "succeeded" {
            guard case .notification(let method, let params) = try await peer.next() else { continue }
            switch try PluginNote(method: method, params: params) {
            case .progress(let note):
                let percent = note.progress.percent
                lines.append(percent.map(String.init) ?? note.progress.state.rawValue)
            case .added: lines.append("added")
            default: break
            }
        }
        #expect(lines.filter { $0 != "added" } == (0..<30).map(String.init) + ["succeeded"])
        #expect(lines.filter { $0 == "added" }.count == 1)
    }
}
