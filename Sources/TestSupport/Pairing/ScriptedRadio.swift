import DeviceInterface
package import EventLoop
package import HomeModel

/// The radio of a ``RecordingHost``: its answers are scripted, and what was asked of it is kept.
@Loop
package final class ScriptedRadio {
    /// What was asked.
    package enum Call: Sendable, Equatable {
        case scan(PairingID)
        case join(PairingID, ssid: String, passphrase: String?)
        case leave(PairingID)
    }

    /// The hotspot that ``FakePairing`` looks for.
    package nonisolated static let hotspot = WiFiSighting(
        ssid: "Fake-1234",
        bssid: "02:00:00:00:12:34",
        signal: -40,
        frequency: 2437,
        isSecured: true
    )

    /// The networks in reach, strongest first.
    package var networks = [hotspot, WiFiSighting(ssid: "home", signal: -55, frequency: 5180, isSecured: true)]
    /// Where it is after each join.
    package var place = WiFiPlace(interface: "lo", address: "127.0.0.1", prefix: 8, gateway: "127.77.0.1")
    /// What the next call, but for a leave, answers instead.
    package var failure: CommandError?
    /// Whether a join comes to no end until it is cancelled.
    package var holdsJoins = false
    /// All calls, in order.
    package private(set) var calls: [Call] = []
    /// Sessions whose join was cancelled.
    package private(set) var cancelled: [PairingID] = []
    /// The network that it is in, where it is not at home.
    package private(set) var joined: String?
    private let changed: @Loop () -> Void

    init(changed: @escaping @Loop () -> Void) { self.changed = changed }

    func scan(_ session: PairingID) throws(CommandError) -> [WiFiSighting] {
        try took(.scan(session))
        return networks
    }

    func join(_ join: WiFiJoin) async throws(CommandError) -> WiFiPlace {
        try took(.join(join.session, ssid: join.ssid, passphrase: join.passphrase))
        if holdsJoins {
            do { try await Loop.sleep(for: .seconds(3600)) } catch {
                cancelled.append(join.session)
                changed()
                throw CommandError(.timeout, "The move was cancelled.")
            }
        }
        guard networks.contains(where: { $0.ssid == join.ssid }) else {
            throw CommandError(.deviceNotFound, "The network is not in reach.")
        }
        joined = join.ssid
        changed()
        return place
    }

    func leave(_ session: PairingID) {
        joined = nil
        calls.append(.leave(session))
        changed()
    }

    private func took(_ call: Call) throws(CommandError) {
        calls.append(call)
        changed()
        guard let error = failure else { return }
        failure = nil
        throw error
    }
}
