import Crypto
import EventLoop
import Simulators
import TuyaAdapter
import TuyaProtocol

/// A client of a simulated cloud over loopback, both with a clock that only the test moves.
@Loop
final class CloudRig {
    /// The time of day in milliseconds, which the cloud goes by.
    private(set) var time: Int64 = 1_700_000_000_000
    /// By how much the client's clock is off.
    var clientAhead: Int64 = 0
    private(set) var now = MonotonicTime(nanoseconds: 1_000_000_000_000)
    /// What the client waited for; the clock moves on by as much.
    private(set) var pauses: [Duration] = []
    let server: CloudServer
    private(set) var cloud: TuyaCloud

    static let deadline = Duration.seconds(300)

    init(_ house: CloudHouse = CloudHouse()) throws {
        let clock = Weak()
        server = try CloudServer(house) { clock.rig?.time ?? 0 }
        cloud = TuyaCloud(try Self.account(server))
        clock.rig = self
        reconnect()
    }

    /// A new client, as after a restart of the plugin.
    func reconnect(_ change: (inout CloudAccount) -> Void = { _ in }) {
        var account = cloud.account
        change(&account)
        cloud.close()
        cloud = TuyaCloud(
            account,
            times: CloudTimes(
                now: { [weak self] in self?.now ?? MonotonicTime(nanoseconds: 0) },
                unixMilliseconds: { [weak self] in (self?.time ?? 0) + (self?.clientAhead ?? 0) },
                sleep: { [weak self] (span) throws(LoopError) in
                    self?.pauses.append(span)
                    self?.advance(span)
                }
            )
        )
    }

    static func account(_ server: CloudServer) throws -> CloudAccount {
        let account = server.house.accounts[0]
        return CloudAccount(
            address: try CloudAddress(server.url),
            clientID: account.clientID,
            secret: SecretKey([UInt8](account.secret.utf8)),
            uid: account.uid
        )
    }

    func advance(_ span: Duration) {
        now = now + span
        time += Int64(span.milliseconds)
    }

    /// Forgets earlier pauses.
    func forgetPauses() { pauses = [] }

    /// How many requests the cloud got.
    func count(_ prefix: String, _ method: String = "GET") -> Int { server.house.requests(method, prefix) }

    /// How a call failed.
    func failure(_ call: @Loop (TuyaCloud) async throws(CloudError) -> Void) async -> CloudError? {
        do throws(CloudError) {
            try await call(cloud)
            return nil
        } catch { return error }
    }

    func stop() {
        cloud.close()
        server.stop()
    }

    @Loop
    private final class Weak {
        weak var rig: CloudRig?
    }
}

extension SimulatedCloudDevice {
    /// A lamp of the first account.
    static func lamp(_ id: String, owner: String = SimulatedAccount().uid) -> SimulatedCloudDevice {
        SimulatedCloudDevice(
            id: id,
            uuid: "uuid-\(id)",
            name: "Lamp \(id)",
            localKey: "0123456789abcdef",
            productKey: Product.light(.rgbcw).productKey,
            owner: owner,
            home: 1_000_001
        )
    }
}
