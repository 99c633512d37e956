import HomeModel
import Hub
import JSON
import Registry
import Testing

@Suite("Registry: the house")
struct HouseStoreTests {
    @Test("a new registry holds nothing")
    func empty() async throws {
        try await withTemporaryDirectory { directory in
            let house = try await withRegistry(directory) { try await $0.load() }
            #expect(house.homes.isEmpty && house.devices.isEmpty && house.reserved.isEmpty)
        }
    }

    @Test("homes, rooms and devices come back as they were put, in order of creation")
    func roundTrip() async throws {
        try await withTemporaryDirectory { directory in
            let home = try #require(HomeID("home"))
            let rooms = [
                Room(id: try #require(RoomID("study")), name: "Study \u{0} ☕️"),
                Room(id: try #require(RoomID("attic")), name: "Attic"),
            ]
            var lamp = try record("z-lamp")
            lamp.chosenName = "Desk lamp"
            lamp.home = home
            lamp.room = rooms[1].id
            lamp.options = ["transition": 1.5, "expert": true]
            let other = try record("a-lamp")
            try await withRegistry(directory) { [lamp] registry in
                try await registry.commit([
                    .putHome(id: home, name: "Home"), .putRoom(rooms[0], home: home), .putRoom(rooms[1], home: home),
                    .putDevice(lamp), .putDevice(other),
                    .putSecrets(Secrets(["local_key": "0123456789abcdef"]), device: lamp.id),
                ])
            }
            let house = try await withRegistry(directory) { try await $0.load() }
            #expect(house.homes == [Home(id: home, name: "Home", rooms: rooms)])
            #expect(house.devices.map(\.record) == [lamp, other])
            #expect(house.devices.map(\.secrets.exposed) == [["local_key": "0123456789abcdef"], [:]])
        }
    }

    @Test("putting a device again changes it and keeps its state, secrets and place in the order")
    func replace() async throws {
        try await withTemporaryDirectory { directory in
            let (first, second) = (try record("one"), try record("two"))
            let house = try await withRegistry(directory) { registry in
                try await registry.commit([
                    .putDevice(first), .putDevice(second),
                    .putSecrets(Secrets(["a": "1", "b": "2"]), device: first.id),
                ])
                registry.note(.state(first.id, ["power": true], at: Timestamp(milliseconds: 5)))
                await registry.flush()
                var changed = first
                changed.chosenName = "Changed"
                try await registry.commit([.putDevice(changed), .putSecrets(Secrets(["b": "3"]), device: first.id)])
                return try await registry.load()
            }
            #expect(house.devices.map(\.record.id) == [first.id, second.id])
            #expect(house.devices[0].record.chosenName == "Changed")
            #expect(house.devices[0].state == ["power": true])
            #expect(house.devices[0].secrets.exposed == ["a": "1", "b": "3"])
        }
    }

    @Test("removing a home takes its rooms; devices stay without home and room")
    func removeHome() async throws {
        try await withTemporaryDirectory { directory in
            let (home, room) = (try #require(HomeID("home")), try #require(RoomID("study")))
            var lamp = try record("lamp")
            lamp.home = home
            lamp.room = room
            let house = try await withRegistry(directory) { [lamp] registry in
                try await registry.commit([
                    .putHome(id: home, name: "Home"), .putRoom(Room(id: room, name: "Study"), home: home),
                    .putDevice(lamp),
                ])
                try await registry.commit([.removeHome(home)])
                return try await registry.load()
            }
            #expect(house.homes.isEmpty)
            #expect(house.devices.count == 1)
            #expect(house.devices.first?.record.home == nil && house.devices.first?.record.room == nil)
        }
    }

    @Test("removing a room leaves its devices in the home; renaming a home leaves its rooms")
    func removeRoom() async throws {
        try await withTemporaryDirectory { directory in
            let (home, room) = (try #require(HomeID("home")), try #require(RoomID("study")))
            var lamp = try record("lamp")
            lamp.home = home
            lamp.room = room
            let house = try await withRegistry(directory) { [lamp] registry in
                try await registry.commit([
                    .putHome(id: home, name: "Home"), .putRoom(Room(id: room, name: "Study"), home: home),
                    .putDevice(lamp),
                    .putHome(id: home, name: "House"),
                ])
                #expect(try await registry.load().homes.first?.rooms.count == 1)
                try await registry.commit([.removeRoom(room)])
                return try await registry.load()
            }
            #expect(house.homes == [Home(id: home, name: "House")])
            #expect(house.devices.first?.record.home == home && house.devices.first?.record.room == nil)
        }
    }

    @Test("a removed device is gone with all it had, and its id stays reserved for it alone")
    func reserved() async throws {
        try await withTemporaryDirectory { directory in
            let lamp = try record("lamp", vendorID: "BF 1")
            try await withRegistry(directory) { registry in
                try await registry.commit([.putDevice(lamp), .putSecrets(Secrets(["key": "1"]), device: lamp.id)])
                registry.note(.state(lamp.id, ["power": true], at: Timestamp(milliseconds: 5)))
                registry.note(.command(trace(lamp.id, 1)))
                await registry.flush()
                try await registry.commit([.removeDevice(lamp.id)])
            }
            try await withRegistry(directory) { registry in
                let house = try await registry.load()
                #expect(house.devices.isEmpty)
                #expect(house.reserved == [ReservedID(id: lamp.id, plugin: lamp.plugin, vendorID: lamp.vendorID)])
                #expect(try await registry.provenance(of: lamp.id, limit: 10).isEmpty)

                let thief = await #expect(throws: CommandError.self) {
                    try await registry.commit([.putDevice(try record("lamp", vendorID: "BF 2"))])
                }
                #expect(thief?.code == .conflict)
                let renamed = await #expect(throws: CommandError.self) {
                    try await registry.commit([.putDevice(try record("lamp-2", vendorID: "BF 1"))])
                }
                #expect(renamed?.code == .conflict)

                try await registry.commit([.putDevice(lamp)])
                let back = try await registry.load()
                #expect(back.reserved.isEmpty)
                #expect(back.devices == [StoredDevice(record: lamp)])
            }
        }
    }

    @Test("a change that cannot be carried out takes the whole commit back")
    func allOrNothing() async throws {
        try await withTemporaryDirectory { directory in
            var lost = try record("lost")
            lost.home = HomeID("nowhere")
            try await withRegistry(directory) { [lost] registry in
                let error = await #expect(throws: CommandError.self) {
                    try await registry.commit([.putDevice(try record("first")), .putDevice(lost)])
                }
                #expect(error?.code == .badRequest)
                #expect(error?.message == "There is no home with id nowhere.")
                let house = try await registry.load()
                #expect(house.devices.isEmpty)
                await #expect(throws: CommandError.self) {
                    try await registry.commit([.putSecrets(Secrets(["a": "b"]), device: try deviceID("first"))])
                }
            }
        }
    }

    @Test("a plugin's values and secrets are kept by name, and a nil value goes")
    func pluginValues() async throws {
        try await withTemporaryDirectory { directory in
            let (plugin, other) = (try tuya(), try #require(PluginID("ezviz")))
            try await withRegistry(directory) { registry in
                try await registry.commit([
                    .putValue(["a": [1, 2.5, nil]], plugin: plugin, key: "cache"),
                    .putValue("x", plugin: plugin, key: "gone"),
                    .putPluginSecrets(Secrets(["token": "abc"]), plugin: plugin),
                ])
                try await registry.commit([.putValue(nil, plugin: plugin, key: "gone")])
            }
            try await withRegistry(directory) { registry in
                let secrets = try await registry.load().pluginSecrets
                #expect(secrets == [plugin: Secrets(["token": "abc"])])
                #expect(try await registry.value(plugin: plugin, key: "cache") == ["a": [1, 2.5, nil]])
                #expect(try await registry.value(plugin: plugin, key: "gone") == nil)
                #expect(try await registry.value(plugin: other, key: "cache") == nil)
            }
        }
    }

    @Test("ledger entries are added once, change owner and go by topic")
    func ledger() async throws {
        try await withTemporaryDirectory { directory in
            try await withRegistry(directory) { registry in
                try await registry.add([
                    LedgerEntry(topic: "l/a", owner: "bridge"), LedgerEntry(topic: "l/b", owner: "bridge"),
                ])
                try await registry.add([
                    LedgerEntry(topic: "l/b", owner: "device/x"), LedgerEntry(topic: "l/c", owner: "device/x"),
                ])
                try await registry.remove(["l/a", "never there"])
            }
            let kept = try await withRegistry(directory) { try await $0.topics() }
            #expect(
                Set(kept) == [
                    LedgerEntry(topic: "l/b", owner: "device/x"), LedgerEntry(topic: "l/c", owner: "device/x"),
                ]
            )
        }
    }

    @Test("the installation id is eight hexadecimal digits and stays")
    func installation() async throws {
        try await withTemporaryDirectory { directory in
            let first = try await withRegistry(directory) { $0.installationID }
            let second = try await withRegistry(directory) { $0.installationID }
            #expect(first == second && first.utf8.count == 8 && first.allSatisfy(\.isHexDigit))
        }
    }

    @Test("after closing, calls say so")
    func closed() async throws {
        try await withTemporaryDirectory { directory in
            let registry = try await withRegistry(directory) { $0 }
            let error = await #expect(throws: CommandError.self) { try await registry.load() }
            #expect(error?.message == "The registry is closed.")
            registry.note(.command(trace(try deviceID("lamp"), 1)))
            await registry.flush()
        }
    }
}

/// A command to a device; `number` tells it from others.
func trace(_ device: DeviceID, _ number: Int) -> CommandTrace {
    CommandTrace(
        device: device,
        at: Timestamp(milliseconds: Int64(number)),
        source: "mqtt/homeassistant",
        request: ["brightness": JSON(number)],
        outcome: "confirmed"
    )
}
