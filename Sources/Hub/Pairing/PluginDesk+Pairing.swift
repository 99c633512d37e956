package import DeviceInterface
import EventLoop
package import HomeModel

extension PluginDesk {
    package func pairingProgressed(_ progress: PairingProgress) {
        hub.pairings.progressed(progress, plugin: plugin)
    }

    package func scanWiFi(for session: PairingID) async throws(CommandError) -> [WiFiSighting] {
        let pairing = try openSession(session)
        return try await hub.pairings.radio.scan(for: pairing.id)
    }

    package func joinWiFi(_ join: WiFiJoin) async throws(CommandError) -> WiFiPlace {
        let pairing = try openSession(join.session)
        let place = try await hub.pairings.radio.join(join, prompt: pairing.prompt)
        // It may have ended on the way; then it goes home again, or is there already.
        guard pairing.session.end == nil else { throw CommandError(.conflict, "The session has ended.") }
        return place
    }

    package func leaveWiFi(for session: PairingID) async throws(CommandError) {
        guard let pairing = hub.pairings.session(session), pairing.plan.plugin == plugin else { return }
        try await hub.pairings.radio.leave(for: session, prompt: pairing.prompt)
    }

    private func openSession(_ id: PairingID) throws(CommandError) -> Pairing {
        guard let pairing = hub.pairings.session(id), pairing.plan.plugin == plugin, pairing.session.end == nil else {
            throw CommandError(.badRequest, "The plugin has no open pairing session \(id).")
        }
        return pairing
    }
}
