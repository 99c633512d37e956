import DeviceInterface
import EventLoop
import HomeModel
import Hub
import JSON
import TestSupport
import Testing

@Loop
@Suite("Devices in the hub", .timeLimit(.minutes(1)))
struct DeviceTests {
    @Test("a new device gets an id from its vendor id, is kept with its secrets, and is told of once")
    func added() async {
        let house = await FakeHouse()
        #expect(house.hub.device(house.lamp)?.record.vendorID == VendorID("Lamp.1"))
        #expect(house.listener.lines.filter { $0.hasPrefix("device lamp-1") }.count == 1)
        #expect(house.store.committed.contains(.putSecrets(Secrets(["local_key": "canary"]), device: house.lamp)))
        #expect(
            house.hub.device(house.lamp)?.state == [
                "power": nil, "brightness": nil, "color": nil, "voltage": nil, "dp_9": nil,
            ]
        )
    }

    @Test("another device whose id would be the same gets a part of the digest")
    func collision() async {
        let house = await FakeHouse()
        house.hub.desk(for: house.plugin).deviceDescribed(FakeHouse.lamp("lamp:1"), secrets: nil)
        #expect(house.hub.devices.map(\.id.text) == ["lamp-1", "lamp-1-01234567"])
    }

    @Test("only what changed is published, and a property without a value is null")
    func merging() async {
        let house = await FakeHouse()
        house.report(["power": true])
        let count = house.listener.lines.count
        house.report(["power": true])
        #expect(house.listener.lines.count == count)
        house.report(["brightness": 5, "unknown": 1])
        #expect(house.listener.lines.count == count + 1)
        #expect(house.hub.device(house.lamp)?.state["unknown"] == nil)
        #expect(house.hub.device(house.lamp)?.state["voltage"] == .null)
        #expect(house.store.noted[house.lamp]?["brightness"] == 5)
    }

    @Test("a plugin that goes down takes each of its devices offline once")
    func pluginDown() async {
        let house = await FakeHouse()
        house.hub.desk(for: house.plugin).wentDown()
        house.hub.desk(for: house.plugin).wentDown()
        #expect(house.listener.lines.filter { $0 == "connectivity lamp-1 plugin_down" }.count == 1)
    }

    @Test("rename and move answer after they are kept, and a failing store changes nothing")
    func renameAndMove() async {
        let house = await FakeHouse()
        #expect(await house.request("home/add", .text("Villa")) == .ok(["id": "villa", "name": "Villa"]))
        #expect(
            await house.request("room/add", .json(["name": "Küche"]))
                == .ok(["id": "k-che", "name": "Küche", "home": "villa"])
        )
        let moved = await house.request("device/move", .json(["id": "lamp-1", "room": "k-che"]))
        guard case .ok(let summary) = moved else { Issue.record("\(moved)"); return }
        #expect(summary["home"] == "villa")
        house.store.failure = CommandError(.internal, "disk full")
        let failed = await house.request("device/rename", .json(["id": "lamp-1", "name": "Other"]))
        #expect(failed == .failed(CommandError(.internal, "disk full")))
        #expect(house.hub.device(house.lamp)?.record.name == "Desk lamp")
        house.store.failure = nil
        #expect(
            await house.request("device/rename", .json(["id": "lamp-1", "name": " Reading lamp "]))
                == .ok(["id": "lamp-1", "name": "Reading lamp"])
        )
        house.hub.desk(for: house.plugin).deviceDescribed(FakeHouse.lamp("Lamp.1"), secrets: nil)
        #expect(house.hub.device(house.lamp)?.record.name == "Reading lamp")
    }

    @Test("changes that are on their way together are all kept, the plugin's new description too")
    func changesTogether() async {
        let house = await FakeHouse()
        _ = await house.request("home/add", .text("Villa"))
        _ = await house.request("room/add", .json(["name": "Hall"]))
        async let renamed = house.request("device/rename", .json(["id": "lamp-1", "name": "Hall lamp"]))
        async let moved = house.request("device/move", .json(["id": "lamp-1", "room": "hall"]))
        async let again = house.request("device/rename", .json(["id": "lamp-1", "name": "Hall lamp 2"]))
        async let described: Void = describeAnew(house)
        _ = await (renamed, moved, again, described)
        let record = house.hub.device(house.lamp)?.record
        #expect(record?.name.hasPrefix("Hall lamp") == true)
        #expect(record?.room?.text == "hall")
        #expect(record?.description.model == "Another model")
        // The store gets whole records; the last one is what is there after a kill.
        let kept = house.store.committed.compactMap { change -> DeviceRecord? in
            if case .putDevice(let record) = change { record } else { nil }
        }
        #expect(kept.last == record)
    }

    private func describeAnew(_ house: FakeHouse) async {
        var description = FakeHouse.lamp("Lamp.1")
        description.model = "Another model"
        house.hub.desk(for: house.plugin).deviceDescribed(description, secrets: nil)
    }

    @Test("a removed device is gone everywhere and gets its id back when it returns")
    func removed() async {
        let house = await FakeHouse()
        #expect(await house.request("device/remove", .text("lamp-1")) == .ok(["id": "lamp-1"]))
        #expect(house.adapter.removed == [VendorID("Lamp.1")])
        #expect(house.hub.devices.isEmpty)
        #expect(house.listener.lines.contains("removed lamp-1"))
        house.hub.desk(for: house.plugin).deviceDescribed(FakeHouse.lamp("lamp 1"), secrets: nil)
        #expect(house.hub.devices.map(\.id.text) == ["lamp-1-01234567"])
        house.hub.desk(for: house.plugin).deviceDescribed(FakeHouse.lamp("Lamp.1"), secrets: nil)
        #expect(house.hub.device(house.lamp) != nil)
    }

    @Test("what was kept comes back as restored, and is marked so until the device speaks")
    func restored() async throws {
        let first = await FakeHouse()
        let record = try #require(first.hub.device(first.lamp)?.record)
        let second = await FakeHouse()
        second.store.house = StoredHouse(devices: [
            StoredDevice(record: record, state: ["power": true], stateAt: Timestamp(milliseconds: 5))
        ])
        try await second.hub.restore()
        let device = try #require(second.hub.device(second.lamp))
        #expect(device.source == .restored)
        #expect(device.connectivity.reason == .starting)
    }

    @Test(
        "wrong requests say what is wrong",
        arguments: [
            ("devices/nope", RequestPayload.empty, ErrorCode.unknownRequest),
            ("device/get", .empty, .badRequest), ("device/get", .text("nobody"), .deviceNotFound),
            ("device/get", .json([1]), .badRequest),
            ("device/rename", .json(["id": "lamp-1", "name": "\u{7}"]), .badRequest),
            ("device/move", .json(["id": "lamp-1"]), .badRequest),
            ("device/move", .json(["id": "lamp-1", "room": "attic"]), .badRequest),
            ("devices/list", .json(["limit": 501]), .valueOutOfRange), ("plugin/reload", .text("x"), .pluginNotFound),
        ] as [(String, RequestPayload, ErrorCode)]
    )
    func wrongRequests(path: String, payload: RequestPayload, code: ErrorCode) async {
        let house = await FakeHouse()
        guard case .failed(let error) = await house.request(path, payload) else { Issue.record("no error"); return }
        #expect(error.code == code)
    }

    @Test("a list comes in pages")
    func pages() async {
        let house = await FakeHouse()
        for number in 0..<7 {
            house.hub.desk(for: house.plugin).deviceDescribed(FakeHouse.lamp("x\(number)"), secrets: nil)
        }
        guard case .ok(let page) = await house.request("devices/list", .json(["offset": 5, "limit": 2])) else { return }
        #expect(page["total"] == 8)
        #expect(page["returned"] == 2)
        #expect(page["has_more"] == true)
    }
}
