import DeviceInterface
import EventLoop
import HomeModel
import Hub
import JSON
import Log
import TestSupport
import Testing

/// A house whose plugin pairs by the test's script, with a radio.
@Loop
struct PairingHouse {
    let house: FakeHouse
    let wifi = FakeWiFi()
    var desk: PluginDesk { house.hub.desk(for: house.plugin) }
    var adapter: ScriptedAdapter { house.adapter }

    init(log: Log = Log.discarding(), _ change: (inout PairingTimes) -> Void = { _ in }) async {
        var timing = Hub.Timing()
        change(&timing.pairing)
        house = await FakeHouse(timing: timing, log: log)
        house.hub.wifi = wifi
        house.hub.namedSecrets = Secrets(["wifi-home": "named-canary"])
    }

    /// A request's data.
    func ask(_ path: String, _ arguments: JSONObject = [:]) async throws -> JSONObject {
        switch await house.request(path, .json(.object(arguments))) {
        case .ok(let data), .accepted(let data): return data
        case .failed(let error): throw error
        }
    }

    /// Why a request fails.
    func refusal(_ path: String, _ arguments: JSONObject = [:]) async -> CommandError? {
        guard case .failed(let error) = await house.request(path, .json(.object(arguments))) else { return nil }
        return error
    }

    /// Begins a session.
    func begin(_ arguments: JSONObject = [:]) async throws -> PairingID {
        let data = try await ask("pairing/start", arguments.adding("plugin", "vendor"))
        return try #require(data["session"]?.stringValue.flatMap { PairingID($0) })
    }

    func status(_ session: PairingID) -> JSONObject? {
        house.hub.pairingSessions.first { $0.id == session }?.payload
    }

    /// Waits until a session is in a state, and gives it.
    @discardableResult
    func wait(_ session: PairingID, _ state: String) async -> JSONObject? {
        await house.listener.fact.until {
            guard let pairing = house.hub.pairingSessions.first(where: { $0.id == session }) else { return false }
            return pairing.payload["state"]?.stringValue == state && (pairing.isEnded || !Self.isFinal(state))
        }
        return status(session)
    }

    private static func isFinal(_ state: String) -> Bool {
        ["succeeded", "failed", "cancelled", "expired"].contains(state)
    }

    /// The plugin tells how far it is.
    func tell(
        _ session: PairingID,
        _ state: PairingProgress.State = .running,
        _ change: (inout PairingProgress) -> Void = { _ in }
    ) {
        var progress = PairingProgress(session: session, state: state, step: "find", steps: ["find", "send", "join"])
        change(&progress)
        desk.pairingProgressed(progress)
    }

    /// The plugin joins a network, without waiting for it.
    func join(_ session: PairingID, _ ssid: String = "SmartLife-1A2B") -> Task<Result<WiFiPlace, CommandError>, Never> {
        Task { @Loop [desk] in
            do throws(CommandError) {
                return .success(try await desk.joinWiFi(WiFiJoin(session: session, ssid: ssid)))
            } catch {
                return .failure(error)
            }
        }
    }

    static let form = InputForm(
        title: "Password?",
        fields: [InputField("password", title: "Password", kind: .password)]
    )
    static let radioForm = InputForm(title: "Join it", fields: [InputField("done", title: "Done", kind: .flag)])
}

extension Result {
    var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
