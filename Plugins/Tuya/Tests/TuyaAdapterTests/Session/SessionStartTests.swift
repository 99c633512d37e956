import EventLoop
import HomeModel
import JSON
import Testing
import TuyaAdapter
import TuyaProtocol

@Suite("A session's beginning")
struct SessionStartTests {
    @Test(
        "a device of each version is asked for its state and is online with the answer",
        arguments: ProtocolVersion.supported
    )
    func online(version: ProtocolVersion) throws {
        var rig = try MachineRig(version)
        rig.machine.knows(points: [1])
        try rig.connect()
        #expect(rig.status == .starting)
        if version == .v32 {
            guard case .queryListed? = rig.requests.last else { return #expect(Bool(false), "\(rig.requests)") }
            try rig.reply(.controlNew, #"{"devId":"bf0123456789abcdefgh","dps":{"1":true}}"#)
        } else {
            #expect(rig.requests.last == .query(child: nil))
            try rig.answerQuery([1: true])
        }
        #expect(rig.status == .online)
        #expect(rig.takeReports().map(\.points) == [[1: true]])
    }

    @Test(
        "sequence numbers begin with 1 and rise by one with every frame",
        arguments: [ProtocolVersion.v33, .v34, .v35]
    )
    func sequence(version: ProtocolVersion) throws {
        var rig = try MachineRig(version)
        try rig.goOnline()
        try rig.set([1: false], ticket: 1)
        try rig.pass(.seconds(11))
        #expect(rig.sequences.count >= 3)
        #expect(rig.sequences == Array(1...UInt32(rig.sequences.count)))
    }

    @Test("without a key nothing is tried")
    func noKey() throws {
        var rig = try MachineRig { $0.localKey = nil }
        rig.machine.start(at: rig.now)
        try rig.drain()
        try rig.pass(.seconds(600))
        #expect(rig.attempts == 0)
        #expect(rig.failure == .keyMissing)
    }

    @Test("without an address the device is looked for by beacon, then connected to at once")
    func noAddress() throws {
        var rig = try MachineRig { $0.address = nil }
        rig.machine.start(at: rig.now)
        try rig.pass(.seconds(60))
        #expect(rig.failure == .addressUnknown)
        #expect(rig.attempts == 0)
        try rig.sight("192.168.1.77")
        try rig.pass(.milliseconds(1))
        #expect(rig.attempts == 1)
        #expect(rig.machine.address?.ip == "192.168.1.77")
    }

    @Test("the first request may follow the negotiation's last step, and no other negotiation is begun on a session")
    func oneNegotiation() throws {
        var rig = try MachineRig(.v35)
        try rig.goOnline()
        try rig.pass(.seconds(100))
        #expect(!rig.requests.contains(.extended(type: "hello", data: nil)))
    }

    @Test("quirk 2: a device that refuses the plain question is asked by name, and that is remembered")
    func deviceTwentyTwo() throws {
        var rig = try MachineRig(.v33)
        rig.machine.knows(points: [1, 2, 20])
        try rig.connect()
        try rig.reply(.query, "json obj data unvalid", code: 1, isClear: true)
        #expect(rig.requests.last == .queryListed(ids: [1, 2, 20]))
        try rig.reply(.controlNew, #"{"devId":"x","dps":{"1":true,"20":5}}"#)
        #expect(rig.status == .online)
        try rig.close(after: .seconds(20))
        rig.requests = []
        try rig.connect()
        #expect(rig.requests == [.queryListed(ids: [1, 2, 20])])
    }

    @Test("quirk 2: a device that refuses both questions is online and lives on reports")
    func refusesBoth() throws {
        var rig = try MachineRig(.v33)
        rig.machine.knows(points: [1])
        try rig.connect()
        try rig.reply(.query, "json obj data unvalid", code: 1, isClear: true)
        try rig.reply(.controlNew, "json obj data unvalid", code: 1, isClear: true)
        #expect(rig.status == .online)
        rig.requests = []
        try rig.report([1: true])
        #expect(rig.takeReports().last?.points == [1: true])
        #expect(rig.requests.isEmpty)
    }

    @Test("quirk 2: without a schema the usual data points are asked for in blocks, and those that came back are kept")
    func blocks() throws {
        var rig = try MachineRig(.v33)
        try rig.connect()
        try rig.reply(.query, "json obj data unvalid", code: 1, isClear: true)
        var asked: [[Int]] = []
        while case .queryListed(let ids)? = rig.requests.last, asked.last != ids {
            asked.append(ids)
            let hit = ids.contains(101)
            try rig.reply(.controlNew, hit ? #"{"dps":{"101":1}}"# : #"{"dps":{}}"#)
        }
        #expect(asked.count == 9)
        #expect(asked.first == Array(1...10))
        #expect(rig.status == .online)
        rig.requests = []
        rig.machine.query(child: nil, at: rig.now)
        try rig.drain()
        #expect(rig.requests == [.queryListed(ids: [101])])
    }

    @Test("quirk 3: the same on 3.5, with the set's command", arguments: [ProtocolVersion.v34, .v35])
    func deviceTwentyTwoSealed(version: ProtocolVersion) throws {
        var rig = try MachineRig(version)
        rig.machine.knows(points: [20])
        try rig.connect()
        try rig.reply(.queryNew, "json obj data unvalid", code: 1)
        #expect(rig.requests.last == .queryListed(ids: [20]))
        try rig.reply(.controlNew, #"{"dps":{"20":true}}"#)
        #expect(rig.status == .online)
    }

    @Test(
        "quirk 7, quirk 8: an answer without values keeps the state and makes the device online",
        arguments: [
            "", "null", #"{"dps":{}}"#, #"{"dps":{"1":null}}"#, #"{"devId":"x"}"#,
        ]
    )
    func emptyStatus(body: String) throws {
        var rig = try MachineRig(.v33)
        try rig.connect()
        try rig.reply(.query, body, code: 1)
        #expect(rig.status == .online)
        #expect(rig.takeReports().isEmpty)
    }

    @Test("quirk 7: after an empty answer the configured data points are refreshed at once")
    func emptyThenRefresh() throws {
        var rig = try MachineRig(.v33) { $0.refresh = RefreshSettings(points: [18, 19], interval: .seconds(60)) }
        try rig.connect()
        try rig.reply(.query, "", code: 1)
        #expect(rig.requests.last == .refresh(ids: [18, 19], child: nil))
    }

    @Test("an unanswered first question is asked again, then the connection is given up")
    func silent() throws {
        var rig = try MachineRig(.v33)
        try rig.connect()
        try rig.pass(.seconds(5))
        #expect(rig.requests.suffix(2) == [.heartbeat, .query(child: nil)])
        try rig.pass(.seconds(5))
        #expect(rig.failure == .unreachable(.silent))
        #expect(!rig.isOpen)
    }
}
