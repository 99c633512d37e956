import EventLoop
import HomeModel
import JSON
import Testing
import TuyaAdapter
import TuyaProtocol

@Suite("A session's sets")
struct SessionSetTests {
    private func rig(
        _ version: ProtocolVersion = .v33,
        configure: (inout DeviceSettings) -> Void = { _ in }
    ) throws -> MachineRig {
        var rig = try MachineRig(version, configure: configure)
        try rig.goOnline([1: true])
        return rig
    }

    @Test(
        "a set is acknowledged by the device's answer, whatever its return code",
        arguments: [0, 1] as [Int32],
        ProtocolVersion.supported
    )
    func acknowledged(code: Int32, version: ProtocolVersion) throws {
        var rig = try rig(version) { $0.dialect = .plain }
        try rig.set([1: false], ticket: 5)
        #expect(rig.takeRequests() == [.set([1: false], child: nil)])
        #expect(rig.takeSetResults().isEmpty)
        try rig.acknowledge(code: code)
        #expect(rig.takeSetResults() == [5: .success(.acknowledged)])
    }

    @Test("a report of the values that comes before the acknowledgement confirms a set")
    func confirmed() throws {
        var rig = try rig()
        try rig.set([1: false, 2: "white"], ticket: 5)
        try rig.report([1: false, 2: "white"])
        #expect(rig.takeSetResults() == [5: .success(.confirmed)])
    }

    @Test("the late acknowledgement of a confirmed set is not taken for that of the next")
    func lateAcknowledgement() throws {
        var rig = try rig()
        try rig.set([1: false], ticket: 1)
        try rig.report([1: false])
        try rig.pass(.milliseconds(50))
        try rig.set([1: true], ticket: 2)
        try rig.acknowledge()
        #expect(rig.takeSetResults() == [1: .success(.confirmed)])
        try rig.acknowledge()
        #expect(rig.takeSetResults() == [2: .success(.acknowledged)])
    }

    @Test("one set is out at a time, and the next waits for the pause")
    func oneAtATime() throws {
        var rig = try rig()
        try rig.set([1: false], ticket: 1)
        try rig.set([2: "white"], ticket: 2)
        #expect(rig.takeRequests() == [.set([1: false], child: nil)])
        try rig.acknowledge()
        #expect(rig.takeRequests().isEmpty)
        try rig.pass(.milliseconds(49))
        #expect(rig.takeRequests().isEmpty)
        try rig.pass(.milliseconds(1))
        #expect(rig.takeRequests() == [.set([2: "white"], child: nil)])
    }

    @Test("a newer set of the same points takes the place of one that waits, and the older caller is told")
    func superseded() throws {
        var rig = try rig()
        try rig.set([1: false], ticket: 1)
        for level in 1...5 { try rig.set([3: JSON(level * 10)], ticket: UInt32(level + 1)) }
        #expect(
            rig.takeSetResults() == [
                2: .success(.superseded), 3: .success(.superseded), 4: .success(.superseded), 5: .success(.superseded),
            ]
        )
        try rig.acknowledge()
        try rig.pass(.milliseconds(50))
        #expect(rig.takeRequests().last == .set([3: 50], child: nil))
        try rig.acknowledge()
        #expect(rig.takeSetResults() == [1: .success(.acknowledged), 6: .success(.acknowledged)])
    }

    @Test("a set that leaves something of an older one standing waits behind it")
    func notSuperseded() throws {
        var rig = try rig()
        try rig.set([1: false], ticket: 1)
        try rig.set([2: "colour", 5: "ff"], ticket: 2)
        try rig.set([2: "white", 3: 10], ticket: 3)
        #expect(rig.takeSetResults().isEmpty)
        #expect(rig.machine.openSets.map(\.tickets) == [[1], [2], [3]])
    }

    @Test("an unanswered set is sent once more, then its caller is told")
    func retry() throws {
        var rig = try rig()
        try rig.set([1: false], ticket: 1)
        try rig.pass(.seconds(3))
        #expect(rig.takeRequests() == [.set([1: false], child: nil), .set([1: false], child: nil)])
        #expect(rig.takeSetResults().isEmpty)
        try rig.pass(.seconds(3))
        guard case .failure(let error)? = rig.takeSetResults()[1] else { return #expect(Bool(false)) }
        #expect(error.code == .timeout)
        #expect(rig.takeRequests().isEmpty)
    }

    @Test("what pulses is never sent twice")
    func pulse() throws {
        var rig = try rig()
        var set = PendingSet(points: [9: true], ticket: 1, deadline: rig.now + .seconds(10))
        set.isRepeatable = false
        try rig.set(set)
        try rig.pass(.seconds(6))
        #expect(rig.takeRequests() == [.set([9: true], child: nil)])
        #expect(rig.takeSetResults()[1] != nil)
    }

    @Test("two pulses are two messages")
    func pulses() throws {
        var rig = try rig()
        for ticket in 1...3 as ClosedRange<UInt32> {
            var set = PendingSet(points: [9: true], ticket: ticket, deadline: rig.now + .seconds(10))
            set.isRepeatable = false
            try rig.set(set)
        }
        #expect(rig.takeSetResults().isEmpty)
        #expect(rig.machine.openSets.count == 3)
    }

    @Test("a caller is told when its time is up, and the set is not sent after that")
    func deadline() throws {
        var rig = try rig()
        try rig.set([1: false], ticket: 1)
        try rig.set([2: "white"], ticket: 2, within: .seconds(1))
        try rig.pass(.seconds(1))
        guard case .failure(let error)? = rig.takeSetResults()[2] else { return #expect(Bool(false)) }
        #expect(error.code == .timeout)
        rig.requests = []
        try rig.acknowledge()
        try rig.pass(.seconds(1))
        #expect(rig.takeRequests().isEmpty)
    }

    @Test("a set that is out when its caller's time is up is not repeated")
    func deadlineInFlight() throws {
        var rig = try rig()
        try rig.set([1: false], ticket: 1, within: .seconds(2))
        try rig.pass(.seconds(7))
        #expect(rig.takeRequests().filter { $0 == .set([1: false], child: nil) }.count == 1)
        #expect(rig.takeSetResults().count == 1)
    }

    @Test("a device that reports another value than was set has answered")
    func clamped() throws {
        var rig = try rig()
        try rig.set([3: 5], ticket: 1)
        try rig.report([3: 25])
        #expect(rig.takeSetResults().isEmpty)
        try rig.pass(.seconds(3))
        #expect(rig.takeSetResults() == [1: .success(.acknowledged)])
        #expect(rig.takeRequests().filter { $0 == .set([3: 5], child: nil) }.count == 1)
    }

    @Test("a lost connection fails every set, once, with a code that says to try again")
    func lost() throws {
        var rig = try rig()
        for ticket in 1...3 as ClosedRange<UInt32> { try rig.set([Int(ticket): true], ticket: ticket) }
        try rig.close(.reset)
        let results = rig.takeSetResults()
        #expect(results.count == 3)
        for result in results.values {
            guard case .failure(let error) = result else { return #expect(Bool(false)) }
            #expect(error.code == .deviceOffline && error.isRetryable)
        }
        try rig.pass(.seconds(10))
        #expect(rig.takeSetResults().isEmpty)
    }

    @Test("without a connection a set fails at once with the reason")
    func offline() throws {
        var rig = try MachineRig()
        rig.machine.start(at: rig.now)
        try rig.set([1: true], ticket: 1)
        guard case .failure(let error)? = rig.takeSetResults()[1] else { return #expect(Bool(false)) }
        #expect(error.code == .deviceOffline)
    }

    @Test("at most a hundred sets wait")
    func full() throws {
        var rig = try rig()
        for ticket in 0...100 as ClosedRange<UInt32> { try rig.set([Int(ticket) + 1: true], ticket: ticket) }
        #expect(rig.takeSetResults().isEmpty)
        try rig.set([200: true], ticket: 500)
        guard case .failure(let error)? = rig.takeSetResults()[500] else { return #expect(Bool(false)) }
        #expect(error.code == .deviceBusy)
    }

    @Test("quirk 31: with the split option the mode goes first and the rest 100 ms later")
    func split() throws {
        var rig = try rig()
        var set = PendingSet(
            points: [1: true, 5: "ff"],
            ticket: 1,
            deadline: rig.now + .seconds(10),
            reported: [1, 5]
        )
        set.firstPart = [2: "colour"]
        try rig.set(set)
        #expect(rig.takeRequests() == [.set([2: "colour"], child: nil)])
        try rig.acknowledge()
        #expect(rig.takeSetResults().isEmpty)
        try rig.pass(.milliseconds(100))
        #expect(rig.takeRequests() == [.set([1: true, 5: "ff"], child: nil)])
        try rig.acknowledge()
        #expect(rig.takeSetResults() == [1: .success(.acknowledged)])
    }

    @Test("quirk 9: when reports leave out a point of a set, one question follows")
    func missingReport() throws {
        var rig = try rig()
        try rig.set([1: true, 2: "white", 3: 50], ticket: 1)
        try rig.acknowledge()
        try rig.report([1: true])
        rig.requests = []
        try rig.pass(.seconds(2))
        #expect(rig.takeRequests() == [.query(child: nil)])
        try rig.answerQuery([1: true, 2: "white", 3: 50])
        try rig.pass(.seconds(5))
        #expect(rig.takeRequests().isEmpty)
    }

    @Test("when reports name all points of a set, no question follows")
    func allReported() throws {
        var rig = try rig()
        try rig.set([1: true, 2: "white"], ticket: 1)
        try rig.acknowledge()
        try rig.report([1: true])
        try rig.report([2: "white"])
        rig.requests = []
        try rig.pass(.seconds(5))
        #expect(rig.takeRequests().isEmpty)
    }

    @Test("quirk 23: answers are matched by command; their numbers do not matter")
    func numbers() throws {
        var rig = try rig()
        try rig.set([1: false], ticket: 1)
        let codec = try SessionCodec(version: .v33, key: rig.key.secret)
        try rig.receive(try codec.answer(.heartbeat, sequence: 0, body: []))
        #expect(rig.takeSetResults().isEmpty)
        try rig.receive(try codec.answer(.control, sequence: 987_654, body: []))
        #expect(rig.takeSetResults() == [1: .success(.acknowledged)])
    }

    @Test(
        "quirk 45: messages have no blanks between tokens, and keep those inside texts",
        arguments: [ProtocolVersion.v33, .v35]
    )
    func blanks(version: ProtocolVersion) throws {
        var rig = try rig(version)
        let points: DataPoints = [1: true, 42: "two  words, \"quoted\" : { }"]
        try rig.set(points, ticket: 1)
        #expect(rig.takeRequests() == [.set(points, child: nil)])
        let body = try #require(rig.bodies.last)
        let outside = body.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
        // Every second part is outside of a text; the escaped quotes inside ours make two more.
        #expect(body.contains("two  words"))
        #expect(!outside.contains { $0.offset % 2 == 0 && $0.element.contains(" ") && !$0.element.contains("{ }") })
    }

    @Test("a refused set fails with the device's words")
    func refusedSet() throws {
        var rig = try rig()
        try rig.set([1: false], ticket: 1)
        try rig.reply(.control, "data format error", code: 1, isClear: true)
        guard case .failure(let error)? = rig.takeSetResults()[1] else { return #expect(Bool(false)) }
        #expect(error.code == .unsupportedProtocol)
        #expect(error.vendorCode == "wrong_dialect_or_version")
    }
}
