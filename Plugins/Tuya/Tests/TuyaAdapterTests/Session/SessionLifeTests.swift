import EventLoop
import HomeModel
import JSON
import Testing
import TuyaAdapter
import TuyaProtocol

@Suite("A session's life")
struct SessionLifeTests {
    @Test("frames are found in any segments, after any garbage", arguments: [1, 2, 3, 5, 7, 16, 33, 1000])
    func segments(size: Int) throws {
        var rig = try MachineRig()
        try rig.goOnline()
        _ = rig.takeReports()
        var stream: [UInt8] = [0, 0, 0x55, 1, 2, 3]
        for level in 1...5 { stream += try rig.frame(.report, "{\"dps\":{\"3\":\(level)}}") + [0xFF, 0] }
        for start in stride(from: 0, to: stream.count, by: size) {
            try rig.receive(Array(stream[start..<min(start + size, stream.count)]))
        }
        #expect(rig.takeReports().map { $0.points[3] } == [1, 2, 3, 4, 5])
    }

    @Test("quirk 39: bytes that are no UTF-8 are replaced and the report counts")
    func invalidUTF8() throws {
        var rig = try MachineRig()
        try rig.goOnline()
        _ = rig.takeReports()
        let codec = try SessionCodec(version: .v33, key: rig.key.secret)
        let body = [UInt8](#"{"dps":{"1":true,"9":"a"#.utf8) + [0xC3, 0x28] + [UInt8](#""}}"#.utf8)
        try rig.receive(try codec.answer(.report, sequence: 9, body: body))
        #expect(rig.takeReports().first?.points[1] == true)
    }

    @Test("quirk 37: a frame of many kilobytes is one report")
    func largeFrame() throws {
        var rig = try MachineRig()
        try rig.goOnline()
        _ = rig.takeReports()
        let text = String(repeating: "ab", count: 7_000)
        try rig.reply(.report, "{\"dps\":{\"201\":\"\(text)\"}}")
        #expect(rig.takeReports().first?.points[201] == .string(text))
    }

    @Test("a frame that nobody knows is passed over, and one that is no message is noted once")
    func unknown() throws {
        var rig = try MachineRig()
        try rig.goOnline()
        try rig.reply(Command(rawValue: 0xF3), "")
        for _ in 0..<5 { try rig.reply(.report, "no json at all {") }
        #expect(rig.status == .online)
        #expect(rig.notes.filter { $0.contains("no message") }.count == 1)
    }

    @Test("the state is asked for every five minutes, or as configured, or never")
    func safetyNet() throws {
        for (interval, expected) in [(Duration.seconds(300), 2), (.seconds(60), 10), (nil, 0)] as [(Duration?, Int)] {
            var rig = try MachineRig { $0.queryInterval = interval }
            try rig.goOnline()
            var count = 0
            for _ in 0..<610 {
                try rig.pass(.seconds(1))
                for request in rig.takeRequests() {
                    if request == .query(child: nil) {
                        count += 1
                        try rig.answerQuery([1: true])
                    } else {
                        try rig.pong()
                    }
                }
            }
            #expect(count == expected)
        }
    }

    @Test("quirk 11, quirk 12, quirk 48: listed data points, of any number, are refreshed at their interval")
    func refresh() throws {
        var rig = try MachineRig {
            $0.refresh = RefreshSettings(points: [106, 107], interval: .seconds(30))
            $0.queryInterval = nil
        }
        try rig.goOnline()
        var refreshes = 0
        for _ in 0..<95 {
            try rig.pass(.seconds(1))
            for request in rig.takeRequests() {
                if request == .refresh(ids: [106, 107], child: nil) { refreshes += 1 }
                try rig.pong()
            }
        }
        #expect(refreshes == 3)
    }

    @Test("quirk 13: after a disconnect that followed a refresh, none is sent for five minutes")
    func refreshHold() throws {
        var rig = try MachineRig {
            $0.refresh = RefreshSettings(points: [18], interval: .seconds(10))
            $0.queryInterval = nil
        }
        try rig.goOnline()
        try rig.pass(.seconds(10))
        #expect(rig.takeRequests().contains(.refresh(ids: [18], child: nil)))
        try rig.close(.reset, after: .seconds(1))
        try rig.goOnline()
        var moments: [Int] = []
        for second in 0..<320 {
            try rig.pass(.seconds(1))
            for request in rig.takeRequests() {
                if request == .refresh(ids: [18], child: nil) { moments.append(second) }
                try rig.pong()
            }
        }
        #expect(moments.allSatisfy { $0 >= 295 } && !moments.isEmpty)
    }

    @Test("quirk 14: a battery device sleeps without alarm, and a beacon wakes the connection at once")
    func battery() throws {
        var rig = try MachineRig {
            $0.isBatteryPowered = true
            $0.address = nil
        }
        rig.machine.start(at: rig.now)
        try rig.pass(.seconds(10))
        try rig.sight("192.168.1.20")
        try rig.pass(.milliseconds(1))
        #expect(rig.attempts == 1)
        try rig.accept()
        try rig.answerQuery([1: 21])
        #expect(rig.status == .online)
        try rig.close(after: .seconds(2))
        #expect(rig.failure == .asleep)
        #expect(rig.status.connectivity.reason == .sleeping)
        let before = rig.attempts
        try rig.sight("192.168.1.20")
        try rig.pass(.milliseconds(1))
        #expect(rig.attempts == before + 1)
    }

    @Test("quirk 46: a battery device is tried every second, with half a second of patience")
    func batteryPolling() throws {
        var rig = try MachineRig { $0.isBatteryPowered = true }
        for _ in 0..<10 {
            try rig.untilAttempt()
            try rig.pass(.milliseconds(500))
            try rig.refuse(.timedOut(after: .milliseconds(500)))
        }
        #expect(rig.failure == .asleep)
        let deadlines = rig.outputs.compactMap { if case .connect(_, let within) = $0 { within } else { nil } }
        #expect(deadlines.allSatisfy { $0 == .milliseconds(500) })
        let before = rig.now
        try rig.untilAttempt()
        #expect(rig.now - before == .seconds(1))
    }

    @Test("quirk 47: a device that nobody called battery-powered never sleeps")
    func neverGuessesSleep() throws {
        var rig = try MachineRig()
        for _ in 0..<5 {
            try rig.goOnline()
            try rig.close(after: .seconds(2))
            #expect(rig.failure == .unreachable(.lost))
        }
    }

    @Test("a beacon from another address moves a device that is silent at the old one")
    func moved() throws {
        var rig = try MachineRig { $0.address = nil }
        rig.machine.start(at: rig.now)
        try rig.sight("192.168.1.20")
        try rig.goOnline()
        try rig.pass(.seconds(1))
        try rig.sight("192.168.1.99")
        #expect(rig.takeRequests() == [.heartbeat])
        try rig.pass(.seconds(3))
        #expect(rig.failure == .addressMoved)
        #expect(rig.status.connectivity.reason == .addressMoved)
        try rig.untilAttempt()
        guard case .connect(let place, _)? = rig.outputs.last(where: { if case .connect = $0 { true } else { false } })
        else { return #expect(Bool(false)) }
        #expect(place.ip == "192.168.1.99")
    }

    @Test("a beacon from another address does not move a device that answers at the old one")
    func forgedBeacon() throws {
        var rig = try MachineRig { $0.address = nil }
        rig.machine.start(at: rig.now)
        try rig.sight("192.168.1.20")
        try rig.goOnline()
        for _ in 0..<20 {
            try rig.pass(.seconds(1))
            try rig.sight("10.6.6.6")
            try rig.pong()
        }
        #expect(rig.status == .online)
        #expect(rig.machine.address?.ip == "192.168.1.20")
    }

    @Test("an address that the operator gave is kept, whatever beacons say")
    func pinnedAddress() throws {
        var rig = try MachineRig()
        try rig.goOnline()
        try rig.sight("192.168.1.99")
        try rig.pass(.seconds(20))
        try rig.pong()
        #expect(rig.machine.address?.ip == "192.168.1.20")
    }

    @Test("quirk 5: another announced version ends the session and begins one in that version")
    func versionChanged() throws {
        var rig = try MachineRig(nil)
        rig.machine.start(at: rig.now)
        try rig.sight(nil, version: .v33)
        try rig.goOnline()
        try rig.pass(.seconds(8))
        try rig.sight(nil, version: .v34)
        #expect(rig.takeRequests() == [.heartbeat])
        #expect(rig.status == .online, "the beacon may be a forgery")
        try rig.pass(.seconds(3))
        #expect(rig.failure == .versionChanged(.v34))
        #expect(rig.status.connectivity.reason == .protocolChanged)
        try rig.goOnline()
        #expect(rig.machine.version == .v34)
    }

    @Test("a forged version does not end a session that works")
    func forgedVersion() throws {
        var rig = try MachineRig(nil)
        rig.machine.start(at: rig.now)
        try rig.sight(nil, version: .v33)
        try rig.goOnline()
        for _ in 0..<10 {
            try rig.sight(nil, version: .v35)
            try rig.pass(.seconds(1))
            try rig.pong()
        }
        #expect(rig.status == .online && rig.machine.version == .v33)
    }

    @Test("a flood of beacons from everywhere makes one attempt a second, at most")
    func beaconFlood() throws {
        var rig = try MachineRig { $0.address = nil }
        rig.machine.start(at: rig.now)
        for number in 0..<1000 {
            try rig.sight("10.0.\(number % 7).\(number % 251 + 1)")
            try rig.pass(.milliseconds(10))
            if rig.machine.phaseName == "connecting" { try rig.refuse(.unreachable) }
        }
        #expect(rig.attempts >= 1 && rig.attempts <= 12)
    }

    @Test("a device that was unreachable is tried within a second of its beacon")
    func backOnBeacon() throws {
        var rig = try MachineRig()
        for _ in 0..<8 {
            try rig.untilAttempt()
            try rig.pass(.seconds(5))
            try rig.refuse(.timedOut(after: .seconds(5)))
        }
        try rig.pass(.seconds(10))
        let before = rig.attempts
        try rig.sight("192.168.1.20")
        try rig.pass(.seconds(1))
        #expect(rig.attempts == before + 1)
    }

    @Test("quirk 21: a version that the operator gave is kept, whatever beacons say")
    func pinnedVersion() throws {
        var rig = try MachineRig(.v33)
        try rig.goOnline()
        try rig.sight(nil, version: .v35)
        #expect(rig.status == .online)
        #expect(rig.machine.version == .v33)
    }

    @Test("quirk 22, quirk 49: an unknown version is not guessed, and is told")
    func unknownVersion() throws {
        var rig = try MachineRig(nil)
        rig.machine.start(at: rig.now)
        try rig.sight(nil, version: .unknown("3.9"))
        try rig.pass(.seconds(600))
        #expect(rig.attempts == 0)
        #expect(rig.failure == .unsupportedVersion("3.9"))
        #expect(rig.status.connectivity.reason == .unsupportedProtocol)
        #expect(rig.status.connectivity.detail?.contains("3.9") == true)
    }

    @Test("quirk 22: an unknown version is treated as a known one where the operator wants it")
    func forcedVersion() throws {
        var rig = try MachineRig(nil) { $0.treatUnknownVersionAs = .v35 }
        rig.machine.start(at: rig.now)
        try rig.sight(nil, version: .unknown("3.9"))
        try rig.goOnline()
        #expect(rig.machine.version == .v35)
    }

    @Test("a hub's children are listed out of several frames, once two seconds pass without another")
    func children() throws {
        var rig = try MachineRig()
        try rig.goOnline()
        rig.machine.listChildren(at: rig.now)
        try rig.drain()
        #expect(rig.takeRequests() == [.extended(type: "subdev_online_stat_query", data: ["cids": []])])
        try rig.reply(
            .extended,
            #"{"reqType":"subdev_online_stat_report","data":{"online":["a","b"],"offline":["c"]}}"#
        )
        try rig.pass(.seconds(1))
        try rig.reply(.extended, #"{"reqType":"subdev_online_stat_report","data":{"online":["d"],"nearby":["e"]}}"#)
        try rig.pass(.milliseconds(1_999))
        #expect(!rig.outputs.contains { if case .children = $0 { true } else { false } })
        try rig.pass(.milliseconds(1))
        guard case .children(let online, let offline)? = rig.outputs.last else { return #expect(Bool(false)) }
        #expect(online == ["a", "b", "d"] && offline == ["c"])
    }

    @Test("quirk 38: a hub that cuts its answer short is asked for one child at a time")
    func cutAnswer() throws {
        var rig = try MachineRig()
        rig.machine.children = ["a", "b"]
        try rig.connect()
        rig.requests = []
        try rig.reply(.query, #"{"dps":{"1":tr"#)
        #expect(rig.status == .online)
        #expect(rig.requests == [.query(child: "a")])
        try rig.reply(.query, #"{"cid":"a","dps":{"1":true}}"#)
        #expect(rig.requests == [.query(child: "a"), .query(child: "b")])
        #expect(rig.takeReports().last?.child == "a")
    }

    @Test("quirk 33: what belongs together goes out in one frame")
    func oneFrame() throws {
        var rig = try MachineRig()
        try rig.goOnline()
        let before = rig.sequences.count
        try rig.set([20: true, 21: "colour", 24: "00f003e803e8"], ticket: 1)
        #expect(rig.sequences.count == before + 1)
    }
}
