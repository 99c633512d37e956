import JSON
import Simulators
import Testing
import TuyaProtocol

@Suite("the simulated cloud")
struct CloudHouseTests {
    private func signedIn() throws -> CloudClient {
        var client = CloudClient()
        try client.signIn()
        #expect(client.token.count == 32)
        return client
    }

    private func activation(_ ticket: JSON, uuid: String = "uuid000000000001") -> CloudActivation {
        CloudActivation(
            region: ticket["result"]?["region"]?.stringValue ?? "",
            token: ticket["result"]?["token"]?.stringValue ?? "",
            secret: ticket["result"]?["secret"]?.stringValue ?? "",
            uuid: uuid,
            product: Product.light(.rgbcw).productKey
        )
    }

    @Test("a device that comes with a token belongs to its home, and the token's list says so")
    func activates() throws {
        var client = try signedIn()
        let ticket = try client.ticket(home: 1_000_002)
        let activation = activation(ticket)
        var poll = try client.ask("GET", "/v1.0/device/paring/tokens/\(activation.token)")
        #expect(PairingPoll(poll) == .pending)
        let result = try client.house.activate(activation, at: client.now)
        poll = try client.ask("GET", "/v1.0/device/paring/tokens/\(activation.token)")
        #expect(PairingPoll(poll) == .paired(deviceIDs: [result.deviceID], failures: []))
        let device = try client.ask("GET", "/v1.0/devices/\(result.deviceID)")
        #expect(device["result"]?["local_key"]?.stringValue == result.localKey)
        #expect(device["result"]?["owner_id"]?.stringValue == "1000002")
        let model = try client.ask("GET", "/v2.0/cloud/thing/\(result.deviceID)/model")
        #expect(DeviceSchema(json: model)?.point(code: "switch_led")?.id == 20)
        let specification = try client.ask("GET", "/v1.1/devices/\(result.deviceID)/specifications")
        #expect(DeviceSchema(json: specification)?.point(code: "colour_data_v2")?.id == 24)
    }

    @Test("a token works once, and not after its time")
    func tokensEnd() throws {
        var client = try signedIn()
        let first = activation(try client.ticket())
        _ = try client.house.activate(first, at: client.now)
        #expect(throws: CloudActivation.Refusal.tokenUsed) { try client.house.activate(first, at: client.now) }
        let second = activation(try client.ticket())
        #expect(throws: CloudActivation.Refusal.tokenExpired) {
            try client.house.activate(second, at: client.now + 600_000)
        }
        _ = try client.house.activate(second, at: client.now + 599_999)
    }

    @Test("a device of another account is refused, and the token's list says why")
    func boundElsewhere() throws {
        let others = SimulatedAccount(clientID: "other", secret: "s", uid: "other-user")
        var client = CloudClient(CloudHouse(accounts: [SimulatedAccount(), others]))
        client.house.devices = [
            SimulatedCloudDevice(
                id: "bf1",
                uuid: "uuid000000000001",
                name: "Lamp",
                localKey: "0123456789abcdef",
                productKey: "p",
                owner: "other-user"
            )
        ]
        try client.signIn()
        let activation = activation(try client.ticket())
        #expect(throws: CloudActivation.Refusal.boundElsewhere) {
            try client.house.activate(activation, at: client.now)
        }
        let poll = try client.ask("GET", "/v1.0/device/paring/tokens/\(activation.token)")
        let refusal = PairingPoll.Failure(
            deviceID: "bf1",
            code: "DEVICE_ALREADY_BIND",
            message: "The device is bound to another account"
        )
        #expect(PairingPoll(poll) == .failed([refusal]))
        #expect(try client.ask("GET", "/v1.0/devices/bf1")["code"]?.intValue == 1106)
    }

    @Test("a wrong secret, client, clock, token, path or home is refused with the vendor's number")
    func refusals() throws {
        var client = try signedIn()
        let path = "/v1.0/users/\(client.account.uid)/homes"
        #expect(try client.ask("GET", path)["result"]?[1]?["home_id"]?.intValue == 1_000_002)
        client.secret = "wrong"
        #expect(try client.ask("GET", path)["code"]?.intValue == 1004)
        client.secret = client.account.secret
        for ahead: Int64 in [-300_001, 300_001] {
            client.ahead = ahead
            #expect(try client.ask("GET", path)["code"]?.intValue == 1013)
        }
        client.ahead = 0
        #expect(try client.ask("GET", "/v1.0/nonsense")["code"]?.intValue == 1108)
        #expect(try client.ask("GET", "/v1.0/users/somebody/homes")["code"]?.intValue == 1106)
        #expect(try client.ask("GET", "/v1.0/devices/nothing")["code"]?.intValue == 2010)
        #expect(try client.ticket(home: 77)["code"]?.intValue == 1106)
        client.now += 7_200_000
        #expect(try client.ask("GET", path)["code"]?.intValue == 1010)
        client.token = "invented"
        #expect(try client.ask("GET", path)["code"]?.intValue == 1011)
        client.account.clientID = "nobody"
        #expect(try client.ask("GET", path)["code"]?.intValue == 1005)
    }

    @Test("lists come page by page")
    func pages() throws {
        var client = CloudClient()
        client.house.devices = (0..<7).map { number in
            SimulatedCloudDevice(
                id: "bf\(number)",
                uuid: "u\(number)",
                name: "Lamp \(number)",
                localKey: "0123456789abcdef",
                productKey: "p",
                owner: client.account.uid
            )
        }
        try client.signIn()
        var ids: [String] = []
        var last = ""
        for more in [true, true, false] {
            let query = [("size", "3")] + (last.isEmpty ? [] : [("last_row_key", last)])
            let result = try client.ask("GET", "/v1.0/iot-01/associated-users/devices", query: query)["result"]
            ids += (result?["devices"]?.arrayValue ?? []).compactMap { $0["id"]?.stringValue }
            last = result?["last_row_key"]?.stringValue ?? ""
            #expect(result?["has_more"]?.boolValue == more)
        }
        #expect(ids == (0..<7).map { "bf\($0)" })
    }

    @Test("faults happen as often as was asked for, and only where")
    func faults() throws {
        var client = try signedIn()
        let path = "/v1.0/users/\(client.account.uid)/homes"
        client.house.faults = [CloudFault(.code(1110, message: "busy"), path: "/v1.0/users", times: 2)]
        #expect(try client.ask("GET", path)["code"]?.intValue == 1110)
        #expect(try client.ask("GET", "/v1.0/devices/x")["code"]?.intValue == 2010)
        #expect(try client.ask("GET", path)["code"]?.intValue == 1110)
        #expect(try client.ask("GET", path)["success"]?.boolValue == true)
    }

    @Test("too many requests in a second are refused")
    func rateLimit() throws {
        var client = try signedIn()
        client.house.requestsPerSecond = 2
        let path = "/v1.0/users/\(client.account.uid)/homes"
        let codes = try (0..<3).map { _ in try client.ask("GET", path)["code"]?.intValue ?? 0 }
        #expect(codes == [0, 0, 1199])
        client.now += 1000
        #expect(try client.ask("GET", path)["success"]?.boolValue == true)
    }

    @Test("a plan makes accounts, devices and faults, and says what is wrong with it")
    func plans() throws {
        let plan: JSON = [
            "accounts": [["client_id": "c", "secret": "s", "uid": "u", "homes": [["id": 5, "name": "Hut"]]]],
            "devices": [["id": "d", "local_key": "0123456789abcdef"]], "pairing_token_seconds": 60,
            "faults": [["do": "code", "code": 1199, "times": 0]],
        ]
        let house = try CloudHouse(plan: plan)
        #expect(house.accounts[0].homes == [SimulatedAccount.Home(id: 5, name: "Hut")])
        #expect(house.devices[0].owner == "u")
        #expect(house.faults == [CloudFault(.code(1199, message: "asked for"), times: nil)])
        #expect(throws: CloudPlanError.self) { try CloudHouse(plan: ["devices": [["id": "d", "local_key": "short"]]]) }
        #expect(throws: CloudPlanError.self) { try CloudHouse(plan: ["faults": [["do": "dance"]]]) }
    }
}
