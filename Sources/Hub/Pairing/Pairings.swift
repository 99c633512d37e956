import DeviceInterface
import EventLoop
import HomeModel
import JSON
import Log

/// The pairing sessions that are open, and those that have ended a short while ago.
@Loop
final class Pairings {
    /// The most sessions that may be open at once, and the most that are shown after their end.
    static let (maxOpen, maxEnded) = (16, 64)

    unowned let hub: Hub
    let times: PairingTimes
    let radio: Radio
    private var sessions: [PairingID: Pairing] = [:]

    init(hub: Hub) {
        self.hub = hub
        times = hub.timing.pairing
        radio = Radio(log: hub.log)
        radio.onLost = { [weak self] session, ssid in self?.lost(session, ssid) }
    }

    /// All sessions, in the order of their start.
    var all: [Pairing] { sessions.values.sorted { ($0.startedAt, $0.id) < ($1.startedAt, $1.id) } }

    func session(_ id: PairingID) -> Pairing? { sessions[id] }

    /// The session that tries another one again; nil where there is none, or the plugin refused it.
    func retry(of id: PairingID) -> PairingID? {
        sessions.values.first { $0.plan.retryOf == id && !$0.wasRefused }?.id
    }

    // MARK: Beginning

    /// Begins a session; returns when it is under way at the plugin.
    ///
    /// - Parameter input: checked against the method's form; may hold secrets.
    /// - Parameter secrets: texts of the configuration that stand in the input.
    /// - Throws: `rate_limited` where too many are open, `plugin_down`, what the plugin says, `internal` where it cannot be
    ///   recorded. A session that the plugin refused has failed; its id is in the details.
    func start(
        _ plan: PairingPlan,
        input: JSONObject,
        form: InputForm?,
        secrets: [String]
    ) async throws(CommandError) -> Pairing {
        guard let adapter = hub.plugins?.adapter(for: plan.plugin) else { throw .pluginDown(plan.plugin) }
        guard sessions.values.count(where: { !$0.isEnded }) < Self.maxOpen else {
            throw CommandError(.rateLimited, "There are \(Self.maxOpen) pairing sessions already.", hint: "Cancel one.")
        }
        var session = PairingSession(times: times)
        session.secrets.learn(input, form: form)
        for secret in secrets { session.secrets.learn(secret) }
        let pairing = Pairing(id: newID(), plan: plan, held: input, session: session, hub: hub)
        sessions[pairing.id] = pairing
        hub.log.notice(
            "pairing begins",
            ["session": "\(pairing.id)", "plugin": "\(plan.plugin)", "method": "\(plan.method)"]
        )
        do throws(CommandError) {
            // Before anything moves, so that the next start knows of it.
            try await hub.commits.commit([.putPairing(pairing.record)])
        } catch {
            sessions[pairing.id] = nil
            throw error
        }
        do throws(CommandError) {
            try await pairing.begin(at: adapter)
        } catch {
            var error = error
            error.details["session"] = .string(pairing.id.text)
            throw error
        }
        return pairing
    }

    private func newID() -> PairingID {
        while true {
            let digits = String(UInt32.random(in: 0 ... .max), radix: 16)
            let text = "p-" + String(repeating: "0", count: 8 - digits.count) + digits
            if let id = PairingID(text), sessions[id] == nil { return id }
        }
    }

    // MARK: What happens

    /// Takes what a plugin tells of a session of its own.
    func progressed(_ progress: PairingProgress, plugin: PluginID) {
        guard let pairing = sessions[progress.session], pairing.plan.plugin == plugin else {
            hub.log.debug("a plugin told of a pairing session that it does not have", ["plugin": "\(plugin)"])
            return
        }
        pairing.take(.progress(progress))
    }

    func pluginWentDown(_ plugin: PluginID) {
        for pairing in all where pairing.plan.plugin == plugin { pairing.take(.pluginDown) }
    }

    private func lost(_ session: PairingID, _ ssid: String) {
        guard let pairing = sessions[session], pairing.session.end == nil else { return }
        hub.plugins?.adapter(for: pairing.plan.plugin)?.wifiLost(session, ssid: ssid)
    }

    /// A plugin's record for the log, without what its sessions were given.
    func redacted(_ record: AdapterLogRecord, of plugin: PluginID) -> AdapterLogRecord {
        if sessions.isEmpty { return record }
        var record = record
        for pairing in sessions.values where pairing.plan.plugin == plugin {
            let secrets = pairing.session.secrets
            if secrets.isEmpty { continue }
            record.message = secrets.redacted(record.message)
            record.metadata = record.metadata.mapValues { secrets.redacted($0) }
        }
        return record
    }

    // MARK: Keeping

    /// Records how far a session is; one that cannot be written costs only what the next start can tell.
    func keep(_ record: PairingRecord) {
        hub.commits.submit([.putPairing(record)]) { [weak self] failure in
            if let failure { self?.notKept(failure) }
        }
    }

    func notKept(_ failure: CommandError) {
        hub.log.error("a pairing session was not recorded", ["reason": "\(failure.message)"])
    }

    /// Tells of the end of a session.
    func announce(_ pairing: Pairing) {
        var data: JSONObject = ["session": .string(pairing.id.text), "plugin": .string(pairing.plan.plugin.text)]
        data["method"] = .string(pairing.plan.method)
        let code = pairing.session.end?.failure?.code.rawValue ?? "none"
        hub.log.notice(
            "pairing ended",
            [
                "session": "\(pairing.id)", "state": "\(pairing.session.state)", "code": "\(code)",
                "step": "\(pairing.session.step ?? "none")",
            ]
        )
        switch pairing.session.end {
        case .succeeded:
            data["devices"] = .array(pairing.session.devices.map { .string($0.text) })
            hub.tell(.pairingSucceeded, data)
        case .failed(let failure), .expired(let failure):
            data["error"] = failure.json
            hub.tell(.pairingFailed, data)
        case .cancelled, nil: break
        }
        let ended = all.filter(\.isEnded)
        for oldest in ended.dropLast(Self.maxEnded) { forget(oldest) }
    }

    /// Lets a session that has ended go, with all that it was given.
    func forget(_ pairing: Pairing) {
        pairing.forgetSecrets()
        guard sessions.removeValue(forKey: pairing.id) != nil else { return }
        hub.tell { $0.pairingForgotten(pairing.id) }
    }

    /// Sessions that were open when the gateway was killed have failed.
    func restore(_ records: [PairingRecord]) async {
        for record in records {
            let pairing = Pairing(interrupted: record, hub: hub)
            sessions[pairing.id] = pairing
            pairing.startKeeping()
            keep(pairing.record)
        }
        for pairing in all { announce(pairing) }
    }

    /// Ends all open sessions, since the gateway stops; returns when the radio is home, or after `limit`.
    func stop(within limit: Duration) async {
        let open = all.filter { !$0.isEnded }
        for pairing in open { pairing.take(.stop) }
        let timer = LoopTimer(after: limit) { for pairing in open { pairing.take(.closed) } }
        for pairing in open { await pairing.ended() }
        timer.cancel()
    }
}
