import EventLoop
import JSON
import Simulators
import Testing
import TuyaProtocol

@Suite("Keys, versions and sequence numbers of a simulated lamp", .timeLimit(.minutes(1)))
struct LampSecurityTests {
    private static let wrongKey = "another key 1234"

    @Test("A set under a wrong key is answered with a text", arguments: [ProtocolVersion.v31, .v33])
    func wrongKeyOld(version: ProtocolVersion) async throws {
        try await withLamp(version) { lamp in
            let client = try await LampClient.connect(to: lamp, key: Self.wrongKey)
            try client.set(["20": false])
            #expect(try await client.nextText() == "parse data error")
            #expect(lamp.values[20] == true)
        }
    }

    @Test(
        "A negotiation under a wrong key ends the connection without an answer",
        arguments: [ProtocolVersion.v34, .v35]
    )
    func wrongKeyNew(version: ProtocolVersion) async throws {
        try await withLamp(version) { lamp in
            await #expect(throws: LampClient.Ended.self) {
                _ = try await LampClient.connect(to: lamp, key: Self.wrongKey)
            }
        }
    }

    @Test("A request before the negotiation ends the connection", arguments: [ProtocolVersion.v34, .v35])
    func notNegotiated(version: ProtocolVersion) async throws {
        try await withLamp(version) { lamp in
            let client = try await LampClient.connect(to: lamp, negotiating: false)
            await #expect(throws: LampClient.Ended.self) { try await client.query() }
        }
    }

    @Test("A client of 3.3 gets nothing from a device of 3.4 or 3.5", arguments: [ProtocolVersion.v34, .v35])
    func oldClient(version: ProtocolVersion) async throws {
        try await withLamp(version) { lamp in
            let client = try await LampClient.connect(to: lamp, version: .v33)
            await #expect(throws: LampClient.Ended.self) { try await client.query() }
        }
    }

    @Test("A client of another old version is told that its data has the wrong format")
    func otherOldClient() async throws {
        try await withLamp(.v31) { lamp in
            let client = try await LampClient.connect(to: lamp, version: .v33)
            client.write(try client.frame(.query, ["devId": .string(client.id)]))
            #expect(try await client.nextText() == "data format error")
        }
    }

    @Test("A second negotiation ends the connection at once", arguments: [ProtocolVersion.v34, .v35])
    func secondNegotiation(version: ProtocolVersion) async throws {
        try await withLamp(version) { lamp in
            let client = try await LampClient.connect(to: lamp)
            _ = try await client.query()
            client.write(try client.frame(.negotiationStart, "0123456789abcdef"))
            await client.untilEnded()
        }
    }

    @Test("A dead session is not answered but reset; the next one lives", arguments: [ProtocolVersion.v34, .v35])
    func deadSession(version: ProtocolVersion) async throws {
        try await withLamp(version) { lamp in
            lamp.faults.deadSessions = 1
            let dead = try await LampClient.connect(to: lamp)
            await #expect(throws: LampClient.Ended.self) { try await dead.query() }
            let alive = try await LampClient.connect(to: lamp)
            #expect(try await alive.query() == lamp.values)
        }
    }

    @Test("A sequence number that does not rise ends a connection of 3.5", arguments: [0, 1, 2] as [UInt32])
    func sequence(number: UInt32) async throws {
        try await withLamp(.v35) { lamp in
            let client = try await LampClient.connect(to: lamp)
            client.write(try client.frame(.queryNew, [:], sequence: number))
            await client.untilEnded()
        }
    }

    @Test("A segment that begins a frame with fewer than 50 bytes ends a connection of 3.5")
    func shortSegment() async throws {
        try await withLamp(.v35) { lamp in
            let client = try await LampClient.connect(to: lamp)
            _ = try await client.query()
            client.write([UInt8](try client.frame(.queryNew, [:]).prefix(49)))
            await client.untilEnded()
        }
    }

    @Test("A set for another device id changes nothing", arguments: [ProtocolVersion.v31, .v33])
    func foreignID(version: ProtocolVersion) async throws {
        try await withLamp(version) { lamp in
            let client = try await LampClient.connect(to: lamp)
            client.write(try client.frame(.control, ["devId": "someoneelse", "dps": ["20": false]]))
            #expect(try await client.nextText() == "devid not found")
            #expect(lamp.values[20] == true)
        }
    }
}
