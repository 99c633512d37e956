import DeviceInterface
import EventLoop
import HomeModel
import JSON
import Testing
import TuyaAdapter
import TuyaProtocol

@Suite("Hubs", .timeLimit(.minutes(1)))
@Loop
struct HubTests {
    private let hubID = VendorID("hub1")
    private let first = VendorID("child1")
    private let second = VendorID("child2")

    private func withHub(_ body: @Loop (FakeHub, AdapterRig) async throws -> Void) async throws {
        let hub = try FakeHub(.v33)
        let schema: JSON = [["id": 1, "code": "switch_1", "property": ["type": "bool"]]]
        var timing = quickTiming.objectValue ?? [:]
        timing["child_list_gap_ms"] = 30
        let rig = try await AdapterRig([
            "devices": [
                [
                    "id": "hub1", "local_key": .string(FakeHub.key), "address": "127.0.0.1",
                    "port": JSON(Int(hub.address.port)), "version": "3.3", "category": "wg2",
                ],
                ["id": "child1", "hub": "hub1", "cid": "aa01", "schema": schema, "name": "First"],
                ["id": "child2", "hub": "hub1", "cid": "bb02", "schema": schema],
            ],
            "discovery": ["enabled": false], "timing": .object(timing), "set_pause_ms": 0,
        ])
        try await body(hub, rig)
        await rig.adapter.stop()
        hub.stop()
    }

    @Test(
        "quirk 40: children share their hub's one connection, are told apart by cid, and are commanded each for itself"
    )
    func children() async throws {
        try await withHub { hub, rig in
            await rig.host.until(first, shows: ["switch_1": true])
            await rig.host.until(second, shows: ["switch_1": false])
            #expect(rig.host.descriptions[first]?.via == hubID)
            #expect(rig.host.descriptions[hubID]?.kind == .hub)
            try await rig.confirm(second, ["switch_1": true])
            #expect(hub.children["bb02"]?[1] == true && hub.children["aa01"]?[1] == true)
            hub.report("aa01", [1: false])
            await rig.host.until(first, shows: ["switch_1": false])
            #expect(rig.host.states[second]?["switch_1"] == true)
            #expect(hub.connections == 1)
        }
    }

    @Test("children are unreachable when the hub is, and back with it")
    func hubLost() async throws {
        try await withHub { hub, rig in
            await rig.host.untilOnline(first)
            hub.drop()
            await rig.host.until {
                $0.connectivity[first]?.isOnline == false && $0.connectivity[second]?.isOnline == false
            }
            #expect(rig.host.connectivity[first]?.detail?.contains("hub") == true)
            await rig.host.untilOnline(first)
            await rig.host.untilOnline(second)
            #expect(hub.connections == 2)
        }
    }

    @Test("a child that the hub lists as offline is offline until it reports")
    func absent() async throws {
        try await withHub { hub, rig in
            hub.offline = ["bb02"]
            await rig.host.until {
                $0.connectivity[second]?.isOnline == false && $0.connectivity[second]?.reason == .unreachable
            }
            #expect(rig.host.connectivity[first]?.isOnline == true)
            guard case .failure(let error) = await rig.write(second, ["switch_1": true]) else {
                return #expect(Bool(false))
            }
            #expect(error.code == .deviceOffline)
            hub.report("bb02", [1: true])
            await rig.host.untilOnline(second)
        }
    }

    @Test("quirk 40: a report of a child that nobody knows is noted once and dropped")
    func stranger() async throws {
        try await withHub { hub, rig in
            await rig.host.untilOnline(first)
            for _ in 0..<3 { hub.report("cc03", [1: true]) }
            hub.report("aa01", [1: false])
            await rig.host.until(first, shows: ["switch_1": false])
            #expect(rig.host.records.filter { $0.metadata["cid"] == "cc03" }.count == 1)
            #expect(await rig.adapter.diagnostics()["strangers"]?["cc03"] == "hub1")
        }
    }

    @Test("a child whose hub is not configured says so")
    func hubless() async throws {
        let rig = try await AdapterRig([
            "devices": [["id": "child1", "hub": "nowhere", "cid": "aa01"]], "discovery": ["enabled": false],
        ])
        #expect(rig.host.connectivity[first]?.isOnline == false)
        guard case .failure(let error) = await rig.write(first, ["dp_1": true]) else { return #expect(Bool(false)) }
        #expect(error.code == .deviceOffline)
        await rig.adapter.stop()
    }
}
