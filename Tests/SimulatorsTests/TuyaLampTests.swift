import EventLoop
import JSON
import Simulators
import Testing
import TuyaProtocol

@Suite("A simulated lamp", .timeLimit(.minutes(1)))
struct TuyaLampTests {
    static let versions = ProtocolVersion.supported
    static let usual: [ProtocolVersion] = [.v31, .v33, .v34, .v35]

    @Test("answers a query with all its values", arguments: usual)
    func query(version: ProtocolVersion) async throws {
        try await withLamp(version) { lamp in
            let client = try await LampClient.connect(to: lamp)
            #expect(try await client.query() == lamp.values)
            #expect(lamp.values[20] == true)
        }
    }

    @Test("confirms a set by a report with what it took", arguments: usual)
    func set(version: ProtocolVersion) async throws {
        try await withLamp(version) { lamp in
            let client = try await LampClient.connect(to: lamp)
            try client.set(["20": true, "21": "white", "22": 500])
            #expect(try await client.nextPoints(.report) == [20: true, 21: "white", 22: 500])
            #expect(lamp.values[22] == 500)
        }
    }

    @Test("acknowledges a set before the report, with the return code of its version", arguments: usual)
    func acknowledgement(version: ProtocolVersion) async throws {
        try await withLamp(version) { lamp in
            let client = try await LampClient.connect(to: lamp)
            try client.set(["20": false])
            let answer = try await client.nextFrame()
            #expect(answer.command == client.controlCommand)
            #expect(answer.returnCode == (version == .v35 ? 1 : 0))
            #expect(try await client.nextFrame().command == .report)
        }
    }

    @Test("tells all its clients what happens to it", arguments: usual)
    func reports(version: ProtocolVersion) async throws {
        try await withLamp(version) { lamp in
            let first = try await LampClient.connect(to: lamp)
            let second = try await LampClient.connect(to: lamp)
            await lamp.until { $0.readyCount == 2 }
            lamp.report([20: false])
            #expect(try await first.nextPoints(.report) == [20: false])
            #expect(try await second.nextPoints(.report) == [20: false])
        }
    }

    @Test("answers heartbeats, up to 3.3 with the sequence number it was sent", arguments: versions)
    func heartbeat(version: ProtocolVersion) async throws {
        try await withLamp(version) { lamp in
            let client = try await LampClient.connect(to: lamp)
            client.write(try client.frame(.heartbeat, [:], sequence: 77))
            let answer = try await client.nextFrame()
            #expect(answer.command == .heartbeat)
            if !version.negotiates { #expect(answer.sequence == 77) }
        }
    }

    @Test("ignores wrong types, ranges and unknown points, and takes the good ones of the same set", arguments: usual)
    func mixedSet(version: ProtocolVersion) async throws {
        try await withLamp(version) { lamp in
            let client = try await LampClient.connect(to: lamp)
            let points: JSON = [
                "20": 1, "21": "disco", "22": 500.7, "23": 4000, "24": "0000000003e80", "26": true, "99": 1,
            ]
            try client.set(points)
            let report = try await client.nextPoints(.report)
            #expect(report == [22: 500])
        }
    }

    @Test("turns one client too many away, and takes it once there is room")
    func tooManyClients() async throws {
        try await withLamp(.v33) { lamp in
            lamp.habits.maximumClients = 1
            let first = try await LampClient.connect(to: lamp)
            _ = try await first.query()
            let second = try await LampClient.connect(to: lamp)
            await second.untilEnded()
            #expect(lamp.counts.turnedAway == 1)
            first.close()
            await lamp.until { $0.connectionCount == 0 }
            let third = try await LampClient.connect(to: lamp)
            #expect(try await third.query() == lamp.values)
        }
    }

    @Test("closes a silent connection", arguments: versions)
    func silence(version: ProtocolVersion) async throws {
        try await withLamp(version) { lamp in
            lamp.habits.silenceLimit = .milliseconds(1500)
            let client = try await LampClient.connect(to: lamp)
            await client.untilEnded()
            #expect(lamp.connectionCount == 0)
        }
    }

    @Test("answers device22's query only in that dialect", arguments: usual)
    func device22(version: ProtocolVersion) async throws {
        try await withLamp(version) { lamp in
            lamp.habits.dialect = .device22
            let client = try await LampClient.connect(to: lamp)
            client.write(try client.frame(client.queryCommand, ["devId": .string(client.id)]))
            #expect(try await client.nextText() == "json obj data unvalid")
            let wanted: JSON = ["devId": .string(client.id), "dps": ["20": nil, "22": nil, "99": nil]]
            client.write(try client.frame(.controlNew, wanted))
            #expect(try await client.nextPoints(.controlNew) == [20: true, 22: 1000])
        }
    }

    @Test("measures on request where its firmware knows how")
    func refresh() async throws {
        try await withLamp(.v34, .meteringPlug) { lamp in
            lamp.change([19: 1234])
            let client = try await LampClient.connect(to: lamp)
            client.write(try client.frame(.refresh, ["dpId": [18, 19, 99]]))
            #expect(try await client.nextPoints(.report) == [18: 174, 19: 1234])
        }
    }

    @Test("switches over when its countdown reaches zero")
    func countdown() async throws {
        try await withLamp(.v33) { lamp in
            lamp.habits.countdownSecond = .milliseconds(5)
            lamp.habits.countdownReportInterval = .seconds(2)
            let client = try await LampClient.connect(to: lamp)
            try client.set(["26": 3])
            #expect(try await client.nextPoints(.report) == [26: 3])
            #expect(try await client.nextPoints(.report) == [26: 2])
            #expect(try await client.nextPoints(.report) == [20: false, 26: 0])
        }
    }
}
