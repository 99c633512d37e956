import EventLoop
import JSON
import Simulators
import TuyaAdapter
import TuyaProtocol

/// A cloud in the test's hands: hands out tokens, activates devices, knows their keys.
@Loop
final class FakeCloud: PairingCloud {
    static let key = "p'&T=5-4u#Xq!a0Z"
    static let id = "bf0123456789abcdefgh"

    var securityConfiguration = JSONObject()
    var allHomes = [CloudHome(id: "1", name: "Home")]
    var account: [CloudDevice] = []
    var schema: JSON?
    /// What every call throws.
    var trouble: CloudError?
    private(set) var tickets: [PairingTicket] = []
    private(set) var polls = 0
    private(set) var unbound: [String] = []
    /// Tokens that devices came with, in order.
    private(set) var activations: [String] = []
    private var paired: [String: String] = [:]

    func homes(within deadline: Duration) async throws(CloudError) -> [CloudHome] {
        if let trouble { throw trouble }
        return allHomes
    }

    func ticket(home: String?, within deadline: Duration) async throws(CloudError) -> PairingTicket {
        if let trouble { throw trouble }
        let letters = "\(10_000_000 + tickets.count)"
        guard let token = PairingToken(region: "EU", token: letters, secret: "w1X2") else {
            throw CloudError(.incomplete, "No token.")
        }
        let ticket = PairingTicket(token: token, home: home, asked: .now)
        tickets.append(ticket)
        return ticket
    }

    func poll(_ token: PairingToken, within deadline: Duration) async throws(CloudError) -> PairingPoll {
        polls += 1
        if let trouble { throw trouble }
        return paired[token.token].map { .paired(deviceIDs: [$0], failures: []) } ?? .pending
    }

    func device(_ id: String, within deadline: Duration) async throws(CloudError) -> CloudDevice {
        if let trouble { throw trouble }
        guard let device = account.first(where: { $0.id == id }) else {
            throw CloudError(.refused(.unknownDevice), "No such device.", code: "2010")
        }
        return device
    }

    func devices(within deadline: Duration) async throws(CloudError) -> [CloudDevice] {
        if let trouble { throw trouble }
        return account
    }

    func specification(_ id: String, within deadline: Duration) async throws(CloudError) -> JSON? { schema }

    func unbind(_ id: String, within deadline: Duration) async throws(CloudError) {
        if let trouble { throw trouble }
        unbound.append(id)
    }

    /// A device came with a token.
    func activate(_ activation: CloudActivation) -> Result<CloudActivation.Result, HotspotActivation.Failure> {
        activations.append(activation.region + activation.token + activation.secret)
        guard tickets.contains(where: { $0.token.token == activation.token }), paired[activation.token] == nil else {
            return .failure(.refused("token"))
        }
        paired[activation.token] = Self.id
        var device = CloudDevice(id: Self.id, name: "Desk lamp", localKey: try? LocalKey(Self.key))
        device.uuid = activation.uuid
        device.category = "dj"
        account = [device]
        return .success(
            CloudActivation.Result(deviceID: Self.id, localKey: Self.key, name: "Desk lamp")
        )
    }
}
