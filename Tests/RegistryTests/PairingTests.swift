import HomeModel
import Hub
@testable import Registry
import Testing

@Suite("Registry: pairing sessions")
struct PairingTests {
    @Test("a session comes back as it was put, and a second put changes it")
    func roundTrip() async throws {
        try await withTemporaryDirectory { directory in
            var record = try Self.session(1)
            record.home = HomeID("house")
            record.room = RoomID("kitchen")
            record.name = "Lamp \"1\" 😀"
            try await withRegistry(directory) { registry in
                try await registry.commit([.putPairing(record)])
                var kept = try await registry.pairings(limit: 10)
                #expect(kept == [record])
                kept = try await registry.load().openPairings
                #expect(kept == [record])
                record.endedAt = Timestamp(milliseconds: 5)
                record.state = "failed"
                record.step = "send"
                record.failure = PairingFailure(
                    .wrongPassword,
                    "Wrong.",
                    hint: "Look.",
                    vendorCode: "207212",
                    step: "join",
                    retryFrom: "send"
                )
                record.devices = [try deviceID("lamp-1"), try deviceID("lamp-2")]
                try await registry.commit([.putPairing(record)])
            }
            try await withRegistry(directory) { registry in
                let kept = try await registry.pairings(limit: 10)
                #expect(kept == [record])
                let house = try await registry.load()
                #expect(house.openPairings.isEmpty)
            }
        }
    }

    @Test("the newest 200 are kept, and open ones whatever their age")
    func bounded() async throws {
        try await withTemporaryDirectory { directory in
            try await withRegistry(directory) { registry in
                try await registry.commit([.putPairing(try Self.session(0))])
                for number in 1...230 {
                    var record = try Self.session(number)
                    record.endedAt = Timestamp(milliseconds: 1)
                    record.state = "cancelled"
                    try await registry.commit([.putPairing(record)])
                }
                let all = try await registry.pairings(limit: 1000)
                #expect(all.count == 201)
                #expect(all.first?.session.text == "p-230")
                #expect(all.last?.session.text == "p-0")
                let newest = try await registry.pairings(limit: 3)
                #expect(newest.map(\.session.text) == ["p-230", "p-229", "p-228"])
            }
        }
    }

    @Test("a registry of the first schema gets the table, keeps its devices, and a copy is made before")
    func migration() async throws {
        try await withTemporaryDirectory { directory in
            try await withRegistry(directory, change: { $0.migrations = [Migration.all[0]] }) { registry in
                try await registry.commit([
                    .putDevice(try record("lamp")), .putPluginSecrets(Secrets(["token": "t"]), plugin: try tuya()),
                ])
            }
            let notices = Notices()
            try await withRegistry(directory, notices: notices) { registry in
                try await registry.commit([.putPairing(try Self.session(1))])
                let house = try await registry.load()
                #expect(house.devices.map(\.record.id.text) == ["lamp"])
                #expect(house.pluginSecrets[try tuya()] == Secrets(["token": "t"]))
                #expect(house.openPairings.count == 1)
            }
            #expect(notices.all == [.migrated(from: 1, to: Migration.all.count)])
            #expect(names(in: directory).contains("registry.db.before-2"))
        }
    }

    private static func session(_ number: Int) throws -> PairingRecord {
        PairingRecord(
            session: try #require(PairingID("p-\(number)")),
            plugin: try tuya(),
            method: "ap",
            startedAt: Timestamp(milliseconds: Int64(number))
        )
    }
}
