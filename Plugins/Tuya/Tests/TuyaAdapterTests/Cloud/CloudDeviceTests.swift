import EventLoop
import JSON
import Simulators
import Testing
import TuyaAdapter
import TuyaProtocol

@Suite("Devices of an account", .timeLimit(.minutes(1)))
@Loop
struct CloudDeviceTests {
    private let deadline = CloudRig.deadline

    @Test("all devices of the user come, page by page, without those of other users")
    func pages() async throws {
        let rig = try CloudRig()
        rig.server.house.devices = (0..<120).map { .lamp("bf\($0)") }
        rig.server.house.devices[7].owner = "another"
        rig.server.house.devices[8].nodeID = "node"
        rig.server.house.devices[8].gatewayID = "bf9"
        let devices = try await rig.cloud.devices(within: deadline)
        #expect(devices.map(\.id) == (0..<120).filter { $0 != 7 }.map { "bf\($0)" })
        #expect(devices[7].isSubDevice && devices[7].nodeID == "node" && devices[7].gatewayID == "bf9")
        #expect(devices[0].localKey == (try LocalKey("0123456789abcdef")))
        #expect(rig.count("/v1.0/iot-01/associated-users/devices") == 3)
        rig.stop()
    }

    @Test("a project that may not list all linked devices gets those of the user", arguments: [28_841_105, 1106, 1108])
    func usersOwnList(code: Int) async throws {
        let rig = try CloudRig()
        rig.server.house.devices = [.lamp("bf1")]
        rig.server.house.faults = [CloudFault(.code(code, message: "no"), path: "/v1.0/iot-01", times: nil)]
        #expect(try await rig.cloud.devices(within: deadline).map(\.id) == ["bf1"])
        rig.stop()
    }

    @Test("a device of somebody else, one that does not exist and an id that is none are refused")
    func strangers() async throws {
        let rig = try CloudRig()
        rig.server.house.devices = [.lamp("bf1", owner: "another")]
        let examples: [(String, CloudOutcome)] = [
            ("bf1", .permissionDenied), ("bf2", .unknownDevice), ("../users", .unknownDevice),
            ("a/b?c", .unknownDevice),
            ("..", .unknownDevice), ("", .unknownDevice),
        ]
        for (id, outcome) in examples {
            let error = await rig.failure { (cloud) throws(CloudError) in
                _ = try await cloud.device(id, within: deadline)
            }
            #expect(error?.reason == .refused(outcome), "\(id)")
        }
        rig.stop()
    }

    @Test("data points come from the model, else from the specification, else not at all")
    func specification() async throws {
        let rig = try CloudRig()
        rig.server.house.devices = [.lamp("bf1"), .lamp("bf2")]
        rig.server.house.devices[1].productKey = "unheard of"
        let model = try await rig.cloud.specification("bf1", within: deadline)
        rig.server.house.faults = [CloudFault(.code(28_841_105, message: "no"), path: "/v2.0/cloud/thing", times: nil)]
        let specification = try await rig.cloud.specification("bf1", within: deadline)
        #expect(model.flatMap { DeviceSchema(json: $0) }?.points.count == Product.light(.rgbcw).points.count)
        #expect(model?["schema"] == specification?["schema"])
        #expect(try await rig.cloud.specification("bf2", within: deadline) == .none)
        rig.server.house.faults = [CloudFault(.close, times: nil)]
        let error = await rig.failure { (cloud) throws(CloudError) in
            _ = try await cloud.specification("bf1", within: deadline)
        }
        #expect(error?.reason == .unreachable)
        rig.stop()
    }

    @Test("taking a device out of the account changes its key")
    func unbind() async throws {
        let rig = try CloudRig()
        rig.server.house.devices = [.lamp("bf1")]
        try await rig.cloud.unbind("bf1", within: deadline)
        #expect(rig.server.house.devices[0].owner == nil)
        #expect(rig.server.house.devices[0].localKey != "0123456789abcdef")
        #expect(rig.count("/v1.0/devices/bf1", "DELETE") == 1)
        rig.stop()
    }

    @Test("a page key with characters that URLs use otherwise is signed as it is and sent encoded")
    func pageKeys() async throws {
        let rig = try CloudRig()
        rig.server.house.devices = (0..<51).map { .lamp("bf\($0)") }
        rig.server.house.devices[49].id = "a b+c/=&?%ü"
        #expect(try await rig.cloud.devices(within: deadline).count == 51)
        #expect(rig.server.house.journal.allSatisfy { $0.code == 0 })
        rig.stop()
    }
}
