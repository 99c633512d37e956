import EventLoop
import JSON
import Simulators
import Testing
import TuyaAdapter
import TuyaProtocol

@Suite("The client of the vendor's cloud", .timeLimit(.minutes(2)))
@Loop
struct TuyaCloudTests {
    private let deadline = CloudRig.deadline

    @Test("a device is paired with a ticket of a home, and comes with its key and its data points")
    func pairs() async throws {
        let rig = try CloudRig()
        let homes = try await rig.cloud.homes(within: deadline)
        #expect(homes == [CloudHome(id: "1000001", name: "Home"), CloudHome(id: "1000002", name: "Cabin")])
        let ticket = try await rig.cloud.ticket(home: homes[1].id, within: deadline)
        #expect(ticket.home == "1000002")
        #expect(try await rig.cloud.poll(ticket.token, within: deadline) == .pending)
        let activation = try #require(
            CloudActivation(token: ticket.token.text, uuid: "u1", product: Product.light(.rgbcw).productKey)
        )
        let joined = try rig.server.activate(activation)
        #expect(
            try await rig.cloud.poll(ticket.token, within: deadline)
                == .paired(deviceIDs: [joined.deviceID], failures: [])
        )
        let device = try await rig.cloud.device(joined.deviceID, within: deadline)
        #expect(device.localKey == (try LocalKey(joined.localKey)))
        #expect(device.home == "1000002" && device.uuid == "u1" && device.category == "dj" && !device.isSubDevice)
        let specification = try #require(try await rig.cloud.specification(joined.deviceID, within: deadline))
        let schema = try #require(DeviceSchema(json: specification))
        #expect(schema.points.map(\.id) == Product.light(.rgbcw).points.map(\.id))
        #expect(schema.point(code: "music_data")?.transfer == .sendOnly)
        #expect(schema.point(code: "bright_value_v2")?.type == .value(ValueRange(minimum: 10, maximum: 1000)))
        rig.stop()
    }

    @Test("callers at the same time share one access token, and one who gives up does not end it for the others")
    func oneToken() async throws {
        let rig = try CloudRig()
        rig.server.house.devices = [.lamp("bf1")]
        let tasks = (0..<10).map { _ in
            Task { @Loop in
                await rig.failure { (cloud) throws(CloudError) in _ = try await cloud.device("bf1", within: deadline) }
            }
        }
        tasks[0].cancel()
        for (number, task) in tasks.enumerated() {
            #expect(await task.value?.reason == (number == 0 ? .cancelled : nil))
        }
        #expect(rig.count("/v1.0/token") == 1)
        rig.stop()
    }

    @Test("no more than two requests go out in a second")
    func pace() async throws {
        let rig = try CloudRig()
        rig.server.house.requestsPerSecond = 2
        for _ in 0..<7 { _ = try await rig.cloud.homes(within: deadline) }
        // Eight requests with the one for the token: two at once, then two for each second.
        #expect(rig.pauses.reduce(.zero, +) == .seconds(3))
        #expect(rig.server.house.journal.allSatisfy { $0.code == 0 })
        rig.stop()
    }

    @Test("an access token is replaced a minute before its end, by its own refresh token")
    func refresh() async throws {
        let rig = try CloudRig()
        _ = try await rig.cloud.homes(within: deadline)
        rig.advance(.seconds(7200 - 62))
        _ = try await rig.cloud.homes(within: deadline)
        #expect(rig.count("/v1.0/token") == 1)
        rig.advance(.seconds(3))
        _ = try await rig.cloud.homes(within: deadline)
        #expect(rig.count("/v1.0/token") == 2 && rig.count("/v1.0/token/") == 1)
        // A cloud that has forgotten the refresh token gets a plain question.
        rig.server.house.accessTokens = []
        rig.advance(.seconds(7200 - 59))
        _ = try await rig.cloud.homes(within: deadline)
        #expect(rig.count("/v1.0/token") == 4 && rig.count("/v1.0/token/") == 2)
        #expect(rig.server.house.journal.count { $0.code != 0 } == 1)
        rig.stop()
    }

    @Test("a refused access token is replaced once, and the request repeated once", arguments: [1010, 1011, 1012])
    func renewal(code: Int) async throws {
        let rig = try CloudRig()
        _ = try await rig.cloud.homes(within: deadline)
        rig.server.house.faults = [CloudFault(.code(code, message: "token"), path: "/v1.0/users")]
        _ = try await rig.cloud.homes(within: deadline)
        #expect(rig.count("/v1.0/token") == 2 && rig.count("/v1.0/users") == 3)
        rig.server.house.faults = [CloudFault(.code(code, message: "token"), path: "/v1.0/users", times: nil)]
        let error = await rig.failure { (cloud) throws(CloudError) in _ = try await cloud.homes(within: deadline) }
        #expect(error?.code == "\(code)")
        #expect(rig.count("/v1.0/token") == 3 && rig.count("/v1.0/users") == 5)
        rig.stop()
    }

    @Test(
        "a clock that is off is made up for, in both directions",
        arguments: [-3_600_000, 3_600_000, -86_400_000 * 365] as [Int64]
    )
    func skew(ahead: Int64) async throws {
        let rig = try CloudRig()
        rig.clientAhead = ahead
        _ = try await rig.cloud.homes(within: deadline)
        #expect(rig.cloud.clockAhead == .milliseconds(-ahead))
        #expect(rig.server.house.journal.map(\.code) == [1013, 0, 0])
        // Once it is known, nothing is refused any more.
        _ = try await rig.cloud.ticket(home: nil, within: deadline)
        #expect(rig.server.house.journal.map(\.code) == [1013, 0, 0, 0])
        rig.stop()
    }

    @Test(
        "a time that is refused again is told to a person, with the direction",
        arguments: [(-3_600_000, "60 min behind"), (7_300_000, "2 h ahead of")] as [(Int64, String)]
    )
    func hopelessSkew(ahead: Int64, words: String) async throws {
        let rig = try CloudRig()
        rig.clientAhead = ahead
        rig.server.house.faults = [CloudFault(.code(1013, message: "time"), times: nil)]
        let error = await rig.failure { (cloud) throws(CloudError) in _ = try await cloud.homes(within: deadline) }
        #expect(error?.reason == .refused(.clockSkew))
        #expect(error?.message.contains(words) == true)
        #expect(rig.server.house.journal.count == 2)
        rig.stop()
    }

    @Test(
        "a busy cloud is asked again after 1, 2, 4 … 60 s, as long as the caller has time",
        arguments: [1110, 1111, 1199, 500]
    )
    func backOff(code: Int) async throws {
        let rig = try CloudRig()
        _ = try await rig.cloud.homes(within: deadline)
        rig.advance(.seconds(10))
        rig.forgetPauses()
        rig.server.house.faults = [CloudFault(.code(code, message: "busy"), path: "/v1.0/users", times: 8)]
        _ = try await rig.cloud.homes(within: .seconds(1000))
        #expect(rig.pauses == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
        rig.forgetPauses()
        rig.server.house.faults = [CloudFault(.code(code, message: "busy"), path: "/v1.0/users", times: nil)]
        rig.advance(.seconds(10))
        let error = await rig.failure { (cloud) throws(CloudError) in _ = try await cloud.homes(within: .seconds(10)) }
        #expect(error?.reason == .refused(.retryLater) && error?.isRetryable == true)
        #expect(rig.pauses == [1, 2, 4].map { .seconds($0) })
        // A busy answer to the question for the token counts, too.
        rig.reconnect()
        rig.forgetPauses()
        rig.server.house.faults = [CloudFault(.code(code, message: "busy"), path: "/v1.0/token", times: 1)]
        _ = try await rig.cloud.homes(within: deadline)
        #expect(rig.pauses.first == .seconds(1))
        rig.stop()
    }

    @Test("a question for a token's fate is asked once and says what the cloud said")
    func pollRefused() async throws {
        let rig = try CloudRig()
        let ticket = try await rig.cloud.ticket(home: nil, within: deadline)
        rig.advance(.seconds(10))
        rig.forgetPauses()
        rig.server.house.faults = [CloudFault(.code(1110, message: "busy"), path: "/v1.0/device/paring/tokens")]
        #expect(try await rig.cloud.poll(ticket.token, within: deadline) == .cloudError(.retryLater))
        #expect(rig.pauses.isEmpty)
        rig.server.house.faults = [CloudFault(.code(1010, message: "old"), path: "/v1.0/device/paring/tokens")]
        #expect(try await rig.cloud.poll(ticket.token, within: deadline) == .pending)
        rig.server.house.activationRefusals = [("GUEST", "not yours")]
        let activation = try #require(CloudActivation(token: ticket.token.text, uuid: "u", product: "p"))
        #expect(throws: CloudActivation.Refusal.refused) { try rig.server.activate(activation) }
        let refusal = PairingPoll.Failure(deviceID: "", code: "GUEST", message: "not yours")
        #expect(try await rig.cloud.poll(ticket.token, within: deadline) == .failed([refusal]))
        rig.stop()
    }

    @Test("a project that signs in the old way says so")
    func oldSignature() async throws {
        let rig = try CloudRig()
        rig.reconnect { $0.algorithm = .old }
        let error = await rig.failure { (cloud) throws(CloudError) in _ = try await cloud.homes(within: deadline) }
        #expect(error?.reason == .refused(.badSignature))
        rig.stop()
    }
}
