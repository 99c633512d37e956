import EventLoop
import JSON
import Simulators
import Testing
import TuyaProtocol

@Suite("Faults of a simulated lamp", .timeLimit(.minutes(1)))
struct LampFaultTests {
    static let versions: [ProtocolVersion] = [.v31, .v33, .v34, .v35]

    @Test("Frames split into bytes still come through", arguments: versions)
    func split(version: ProtocolVersion) async throws {
        try await withLamp(version) { lamp in
            let client = try await LampClient.connect(to: lamp)
            lamp.faults.segmentSizes = [1, 7]
            lamp.faults.segmentPause = .milliseconds(1)
            #expect(try await client.query() == lamp.values)
            #expect(client.segments.filter { $0 <= 8 }.count > 10)
        }
    }

    @Test("Merged frames arrive in one piece", arguments: versions)
    func merge(version: ProtocolVersion) async throws {
        try await withLamp(version) { lamp in
            let client = try await LampClient.connect(to: lamp)
            _ = try await client.query()
            let before = client.segments.count
            lamp.faults.mergeWindow = .milliseconds(30)
            try client.set(["20": false])
            #expect(try await client.nextFrame().command == client.controlCommand)
            #expect(try await client.nextFrame().command == .report)
            #expect(client.segments.count == before + 1)
        }
    }

    @Test("Garbage stands before frames", arguments: versions)
    func garbage(version: ProtocolVersion) async throws {
        try await withLamp(version) { lamp in
            let client = try await LampClient.connect(to: lamp)
            lamp.faults.garbage = [0x00, 0x00, 0x55, 0x13, 0x37]
            #expect(try await client.query() == lamp.values)
        }
    }

    @Test("Wrong checksums are seen as such", arguments: versions)
    func corrupt(version: ProtocolVersion) async throws {
        try await withLamp(version) { lamp in
            let client = try await LampClient.connect(to: lamp)
            lamp.faults.corruptsChecksums = true
            client.write(try client.frame(.heartbeat, [:]))
            guard case .failure(let error) = try await client.next() else {
                return #expect(Bool(false), "a frame came through")
            }
            #expect(error.isChecksumFailure)
        }
    }

    @Test("Answers come late, and in order")
    func delay() async throws {
        try await withLamp(.v33) { lamp in
            let client = try await LampClient.connect(to: lamp)
            lamp.faults.delay = .milliseconds(40)
            let start = Loop.now
            try client.set(["20": false])
            lamp.faults.delay = .zero
            #expect(try await client.nextFrame().command == .control)
            lamp.faults.delay = .milliseconds(40)
            try client.set(["20": true])
            #expect(try await client.nextPoints(.report) == [20: false])
            #expect(try await client.nextPoints(.report) == [20: true])
            #expect(Loop.now - start >= .milliseconds(40))
        }
    }

    @Test("A bad status is what was asked for", arguments: versions)
    func status(version: ProtocolVersion) async throws {
        try await withLamp(version) { lamp in
            let client = try await LampClient.connect(to: lamp)
            lamp.faults.statusAnswer = .noPoints
            #expect(try await client.query() == [:])
            lamp.faults.statusAnswer = .points([20])
            #expect(try await client.query() == [20: true])
            lamp.faults.statusAnswer = .nullPoints
            #expect(try await client.query()[22] == .null)
            lamp.faults.statusAnswer = .text("devid not found")
            client.write(try client.frame(client.queryCommand, [:]))
            #expect(try await client.nextText() == "devid not found")
            lamp.faults.statusAnswer = .truncated(bytes: 19)
            client.write(try client.frame(client.queryCommand, [:]))
            #expect(try await client.nextText().utf8.count == 19)
            lamp.faults.statusAnswer = .empty
            client.write(try client.frame(client.queryCommand, [:]))
            let empty = try await client.nextFrame()
            #expect(empty.returnCode == 1)
        }
    }

    @Test("A silent device hears and says nothing")
    func silent() async throws {
        try await withLamp(.v33) { lamp in
            let client = try await LampClient.connect(to: lamp)
            _ = try await client.query()
            lamp.faults.isSilent = true
            try client.set(["20": false])
            await lamp.until { $0.counts.unheard == 1 }
            lamp.faults.isSilent = false
            #expect(try await client.query()[20] == true)
        }
    }

    @Test("A set ends the connection and is not carried out")
    func closesOnSet() async throws {
        try await withLamp(.v34) { lamp in
            lamp.faults.closesOnSet = true
            let client = try await LampClient.connect(to: lamp)
            try client.set(["20": false])
            await client.untilEnded()
            #expect(lamp.values[20] == true)
        }
    }

    @Test("Late copies bring old values back")
    func lateCopy() async throws {
        try await withLamp(.v33) { lamp in
            lamp.faults.lateCopyDelay = .milliseconds(10)
            let client = try await LampClient.connect(to: lamp)
            try client.set(["22": 10])
            #expect(try await client.nextPoints(.report) == [22: 10])
            #expect(try await client.nextPoints(.report) == [22: 1000])
            #expect(lamp.values[22] == 10)
        }
    }

    @Test("Reports come one data point at a time, or twice")
    func splitReports() async throws {
        try await withLamp(.v33) { lamp in
            let client = try await LampClient.connect(to: lamp)
            lamp.faults.splitsReports = true
            try client.set(["20": true, "22": 10])
            #expect(try await client.nextPoints(.report) == [20: true])
            #expect(try await client.nextPoints(.report) == [22: 10])
            lamp.faults.splitsReports = false
            lamp.faults.repeatsReports = true
            lamp.report([20: false])
            #expect(try await client.nextPoints(.report) == [20: false])
            #expect(try await client.nextPoints(.report) == [20: false])
        }
    }

    @Test("A rebooting device refuses, then is back with its values")
    func reboot() async throws {
        try await withLamp(.v33) { lamp in
            let client = try await LampClient.connect(to: lamp)
            lamp.change([22: 321])
            lamp.reboot(for: .milliseconds(30))
            #expect(!lamp.isListening)
            await client.untilEnded()
            await lamp.until { $0.isListening }
            #expect(try await LampClient.connect(to: lamp).query()[22] == 321)
        }
    }

    @Test("A moved device is found at its new address only")
    func move() async throws {
        try await withLamp(.v33) { lamp in
            let old = lamp.identity.address
            let client = try await LampClient.connect(to: lamp)
            try lamp.move(to: SocketAddress(ipv4: 0x7F00_0009, port: old.port))
            await client.untilEnded()
            #expect(try await LampClient.connect(to: lamp).query() == lamp.values)
            await #expect(throws: LoopError.refused) { try await TCPConnection.connect(to: old, deadline: .seconds(5)) }
        }
    }

    @Test("A device that was paired anew does not know its old key", arguments: [ProtocolVersion.v34, .v35])
    func repair(version: ProtocolVersion) async throws {
        try await withLamp(version) { lamp in
            let old = lamp.identity.localKey
            try lamp.repair(key: "fedcba9876543210")
            await #expect(throws: LampClient.Ended.self) { try await LampClient.connect(to: lamp, key: old) }
            #expect(try await LampClient.connect(to: lamp).query() == lamp.values)
        }
    }
}
