import EventLoop
package import HomeModel
package import Hub
package import JSON
import Log

/// A store in memory that can be told to fail.
package final class FakeStore: HouseStore, @unchecked Sendable {
    // The hub calls it on the loop, and so do the tests.
    @Loop package var house = StoredHouse()
    @Loop package var committed: [HouseChange] = []
    @Loop package var traces: [CommandTrace] = []
    @Loop package var noted: [DeviceID: JSONObject] = [:]
    @Loop package var failure: CommandError?
    @Loop package var values: [String: JSON] = [:]
    @Loop package var pairings: [PairingRecord] = []

    package init() {}

    package func load() async throws(CommandError) -> StoredHouse { await house }

    @Loop package func commit(_ changes: [HouseChange]) async throws(CommandError) {
        if let failure { throw failure }
        committed += changes
        for case .putPairing(let record) in changes {
            pairings.removeAll { $0.session == record.session }
            pairings.append(record)
        }
        for case .putValue(let value, _, let key) in changes { values[key] = value }
    }

    package func note(_ note: HouseNote) {
        Loop.assumeIsolated {
            switch note {
            case .state(let id, let state, _): noted[id] = state
            case .command(let trace): traces.append(trace)
            }
        }
    }

    package func flush() async {}

    @Loop package func provenance(of device: DeviceID, limit: Int) async throws(CommandError) -> [CommandTrace] {
        Array(traces.filter { $0.device == device }.reversed().prefix(limit))
    }

    @Loop package func pairings(limit: Int) async throws(CommandError) -> [PairingRecord] {
        Array(pairings.reversed().prefix(limit))
    }

    @Loop package func value(plugin: PluginID, key: String) async throws(CommandError) -> JSON? { values[key] }
}
