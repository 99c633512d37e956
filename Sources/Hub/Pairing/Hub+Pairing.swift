import EventLoop
import HomeModel
import Log

extension Hub {
    /// The pairing sessions that doors show, in the order of their start.
    package var pairingSessions: [Pairing] { pairings.all }

    /// Ends all open pairing sessions before the plugins are stopped; returns when the radio is home, or after `limit`.
    package func stopPairing(within limit: Duration = .seconds(15)) async { await pairings.stop(within: limit) }

    /// Puts the devices that came in where the session's plan wants them.
    ///
    /// A device that was there before keeps what the plan does not name: its id, name, home, room, options and history.
    /// - Returns: their ids, and why the session failed all the same.
    func place(_ vendorIDs: [VendorID], by plan: PairingPlan) async -> ([DeviceID], PairingFailure?) {
        let mine = desk(for: plan.plugin).devices
        let found = vendorIDs.compactMap { mine[$0] }
        guard found.count == vendorIDs.count || !found.isEmpty else {
            return (
                [],
                PairingFailure(
                    PairingCode(.internal),
                    "The plugin brought a device in that it never described.",
                    hint: "limits.devices may be reached; the gateway's log says more."
                )
            )
        }
        let home = plan.home.flatMap { id in homes.first { $0.id == id } }
        let room = plan.room.flatMap { id in home?.rooms.first { $0.id == id } }
        for device in found {
            do throws(CommandError) {
                try await update(device) { record in
                    if let room {
                        (record.home, record.room) = (home?.id, room.id)
                    } else if let home, plan.isHomeChosen || record.home == nil, record.home != home.id {
                        (record.home, record.room) = (home.id, nil)
                    }
                    if let name = plan.name, found.count == 1 { record.chosenName = name }
                }
            } catch {
                log.error("a paired device was not put in its place", ["reason": "\(error.message)"])
            }
        }
        // A device that is told to be in survives any kill: what could not be written when it was described is written now.
        var changes: [HouseChange] = []
        for device in found {
            changes.append(.putDevice(device.upcomingRecord))
            if !device.secrets.isEmpty { changes.append(.putSecrets(device.secrets, device: device.id)) }
        }
        do throws(CommandError) {
            try await commits.commit(changes)
        } catch {
            let failure = PairingFailure(
                PairingCode(.internal),
                "The device is in, but was not kept, and is gone after the next start: \(error.message)",
                hint: error.hint ?? "The gateway's log says more."
            )
            return (found.map(\.id), failure)
        }
        return (found.map(\.id), nil)
    }
}
