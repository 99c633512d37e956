import EventLoop
import HomeModel
import JSON
import Testing
import TuyaAdapter
import TuyaProtocol

@Suite("A session's failures")
struct SessionFailureTests {
    @Test("quirk 1: refused connections mean another client, and are tried again after half a minute")
    func refused() throws {
        var rig = try MachineRig()
        try rig.untilAttempt()
        try rig.refuse()
        #expect(rig.failure == .held(.refused))
        #expect(rig.status.connectivity.reason == .heldByOtherClient)
        #expect(rig.status.commandError?.code == .deviceBusy)
        try rig.pass(.seconds(23))
        #expect(rig.attempts == 1)
        try rig.pass(.seconds(14))
        #expect(rig.attempts == 2)
    }

    @Test("refused connections of a device that was just there mean that it restarts, and are tried again soon")
    func restarting() throws {
        var rig = try MachineRig()
        try rig.goOnline()
        try rig.close(after: .seconds(20))
        #expect(rig.failure == .unreachable(.lost))
        try rig.pass(.seconds(1))
        #expect(rig.attempts == 2)
        try rig.refuse()
        #expect(rig.failure == .unreachable(.restarting))
        try rig.pass(.milliseconds(1300))
        #expect(rig.attempts == 3)
    }

    @Test(
        "quirk 1: a connection closed at once is another client's; a quiet second attempt makes sure",
        arguments: [
            ProtocolVersion.v33, .v35,
        ]
    )
    func closedAtOnce(version: ProtocolVersion) throws {
        var rig = try MachineRig(version)
        rig.negotiates = false
        try rig.connect()
        try rig.close(.reset, after: .milliseconds(2))
        #expect(rig.failure == .held(.closedAtOnce))
        try rig.pass(.seconds(4))
        #expect(rig.attempts == 1, "negotiations in quick succession lock devices up")
        try rig.pass(.seconds(3))
        #expect(rig.attempts == 2)
        rig.requests = []
        try rig.accept()
        #expect(rig.requests.isEmpty, "the second attempt says nothing at first")
        try rig.close(after: .milliseconds(2))
        #expect(rig.failure == .held(.closedAtOnce))
        try rig.pass(.seconds(23))
        #expect(rig.attempts == 2)
    }

    @Test("a device that closes only after the negotiation's first step refuses the key")
    func closesAfterHello() throws {
        var rig = try MachineRig(.v35)
        rig.negotiates = false
        try rig.connect()
        try rig.close(after: .milliseconds(2))
        try rig.pass(.seconds(7))
        try rig.accept()
        try rig.pass(.milliseconds(400))
        #expect(rig.requests.last == .extended(type: "hello", data: nil))
        try rig.close(after: .milliseconds(2))
        #expect(rig.failure == .keyRefused(.closed))
        #expect(rig.status.connectivity.reason == .keyChanged)
        #expect(rig.status.commandError?.code == .keyChanged)
    }

    @Test("a device that closes a second after the negotiation's first step refuses the key")
    func closesLater() throws {
        var rig = try MachineRig(.v35)
        rig.negotiates = false
        try rig.connect()
        try rig.close(after: .seconds(1))
        #expect(rig.failure == .keyRefused(.closed))
    }

    @Test("quirk 50: a device that closes when asked without negotiation is suspected to want one")
    func wantsNegotiation() throws {
        var times = SessionTimes()
        times.probeListen = .zero
        var rig = try MachineRig(nil, times: times, proven: .v33)
        try rig.connect()
        #expect(rig.machine.version == .v33)
        try rig.close(after: .seconds(1))
        #expect(rig.failure == .versionRefused(spoken: .v33, announced: nil))
        #expect(rig.status.connectivity.reason == .protocolChanged)
        try rig.untilAttempt()
        #expect(rig.machine.version == .v35)
    }

    @Test(
        "quirk 30: a proof made with another key is a changed key, said with both possibilities, and tried again slowly",
        arguments: [
            ProtocolVersion.v34, .v35,
        ]
    )
    func wrongKey(version: ProtocolVersion) throws {
        var rig = try MachineRig(version)
        rig.deviceKey = try LocalKey("another key 1234")
        rig.negotiates = false
        try rig.connect()
        // What the device sends under its own key does not even open.
        let answer = try rig.frame(.negotiationAnswer, String(repeating: "x", count: 48))
        try rig.receive(answer)
        try rig.pass(.seconds(2))
        #expect(rig.failure == .keyRefused(.undecipherable))
        let detail = try #require(rig.status.connectivity.detail)
        #expect(detail.contains("paired again") && detail.contains("updated"))
        #expect(!detail.contains(MachineRig.keyText))
    }

    @Test("quirk 30: an answer that opens but proves another key is a changed key")
    func wrongProof() throws {
        var rig = try MachineRig(.v35)
        rig.negotiates = false
        try rig.connect()
        try rig.reply(.negotiationAnswer, String(repeating: "x", count: 48))
        #expect(rig.failure == .keyRefused(.proof))
        try rig.pass(.seconds(230))
        #expect(rig.attempts == 1)
        try rig.pass(.seconds(140))
        #expect(rig.attempts == 2)
    }

    @Test("another command than the negotiation's answer means another version")
    func unexpectedCommand() throws {
        var rig = try MachineRig(.v34)
        rig.negotiates = false
        try rig.connect()
        try rig.reply(.queryNew, "{}")
        #expect(rig.failure == .versionRefused(spoken: .v34, announced: nil))
    }

    @Test("a report under the local key while the key is negotiated is passed over")
    func earlyReport() throws {
        var rig = try MachineRig(.v35)
        rig.negotiates = false
        try rig.connect()
        try rig.report([1: true])
        #expect(rig.failure == nil)
        #expect(rig.takeReports().isEmpty)
        #expect(rig.isOpen)
    }

    @Test("quirk 44: a negotiation without answer counts against the key, and a device that has just worked may hang")
    func silentNegotiation() throws {
        var rig = try MachineRig(.v35)
        rig.negotiates = false
        try rig.connect()
        try rig.pass(.seconds(5))
        #expect(rig.failure == .keyRefused(.silence))

        var known = try MachineRig(.v35)
        try known.goOnline()
        try known.close(after: .seconds(20))
        known.negotiates = false
        for expected in [LinkFailure.unreachable(.silent), .unreachable(.silent), .keyRefused(.silence)] {
            try known.connect()
            try known.pass(.seconds(5))
            #expect(known.failure == expected)
        }
    }

    @Test("quirk 16: negotiations are at least five seconds apart")
    func negotiationPause() throws {
        var rig = try MachineRig(.v34)
        try rig.goOnline()
        let first = rig.now
        try rig.close(after: .seconds(1))
        try rig.untilAttempt()
        #expect(rig.now - first >= .seconds(5))
    }

    @Test("quirk 4: complaints about the format, again and again, mean the wrong version")
    func wrongVersion() throws {
        var rig = try MachineRig()
        try rig.connect()
        for _ in 0..<3 {
            #expect(rig.isOpen)
            try rig.reply(.query, "data format error", code: 1, isClear: true)
            try rig.pass(.seconds(1))
        }
        #expect(rig.failure == .versionRefused(spoken: .v33, announced: nil))
    }

    @Test("quirk 5, quirk 43: complaints about parsing, also of sixteen bytes, mean key or version")
    func parseError() throws {
        var rig = try MachineRig()
        try rig.connect()
        for _ in 0..<3 {
            try rig.reply(.query, "parse data error", code: 1, isClear: true)
            try rig.pass(.seconds(1))
        }
        #expect(rig.failure == .keyRefused(.complaint))
    }

    @Test("one complaint does not end a session that works")
    func oneComplaint() throws {
        var rig = try MachineRig()
        try rig.goOnline()
        try rig.reply(.query, "data format error", code: 1, isClear: true)
        try rig.report([1: true])
        try rig.reply(.query, "data format error", code: 1, isClear: true)
        try rig.reply(.query, "data format error", code: 1, isClear: true)
        #expect(rig.status == .online)
    }

    @Test("quirk 6: a wrong device id is told as such")
    func wrongID() throws {
        var rig = try MachineRig()
        try rig.connect()
        try rig.reply(.query, "devid not found", code: 1, isClear: true)
        #expect(rig.failure == .idRefused)
        #expect(rig.status.connectivity.reason == "unknown_device_id")
        #expect(rig.status.commandError?.code == .invalidConfig)
    }

    @Test("payloads that cannot be deciphered, three in a row, mean key or version")
    func undecipherable() throws {
        var rig = try MachineRig()
        rig.deviceKey = try LocalKey("another key 1234")
        try rig.connect()
        for _ in 0..<3 { try rig.report([1: true]) }
        #expect(rig.failure == .keyRefused(.undecipherable))
    }

    @Test("frames of the other kind are a hint at the other version")
    func wrongPrefix() throws {
        var times = SessionTimes()
        times.probeListen = .zero
        var rig = try MachineRig(nil, times: times, proven: .v33)
        try rig.connect()
        rig.deviceVersion = .v35
        try rig.receive(try SessionCodec(version: .v35, key: rig.key.secret).answer(.report, sequence: 1, body: []))
        #expect(rig.failure == .versionRefused(spoken: .v33, announced: nil))
        try rig.untilAttempt()
        #expect(rig.machine.version == .v35)
    }

    @Test("quirk 26: a device that says nothing for twenty-five seconds is gone")
    func deadPeer() throws {
        var rig = try MachineRig()
        try rig.goOnline()
        try rig.pass(.seconds(24))
        #expect(rig.status == .online)
        try rig.pass(.seconds(2))
        #expect(rig.failure == .unreachable(.mute))
        #expect(!rig.isOpen)
    }

    @Test("quirk 24: a heartbeat is sent after ten seconds of our silence, and its answer keeps the session")
    func heartbeat() throws {
        var rig = try MachineRig { $0.queryInterval = nil }
        try rig.goOnline()
        for _ in 0..<12 {
            try rig.pass(.milliseconds(9_900))
            #expect(rig.takeRequests().isEmpty)
            try rig.pass(.milliseconds(100))
            #expect(rig.takeRequests() == [.heartbeat])
            try rig.pong()
        }
        #expect(rig.status == .online)
    }

    @Test("half a frame that does not go on closes the connection")
    func halfFrame() throws {
        var rig = try MachineRig()
        try rig.goOnline()
        let frame = try rig.frame(.report, #"{"dps":{"1":true}}"#)
        try rig.receive(Array(frame.prefix(20)))
        try rig.pass(.milliseconds(4_900))
        #expect(rig.isOpen)
        try rig.pass(.milliseconds(200))
        #expect(!rig.isOpen)
        #expect(rig.failure == .unreachable(.lost))
    }

    @Test("three wrong checksums in a row close the connection, two do not", arguments: ProtocolVersion.supported)
    func checksums(version: ProtocolVersion) throws {
        var rig = try MachineRig(version) { $0.dialect = .plain }
        try rig.goOnline()
        func damaged(_ rig: inout MachineRig) throws -> [UInt8] {
            var frame = try rig.frame(.report, #"{"dps":{"1":true}}"#)
            frame[frame.count - 6] ^= 1
            return frame
        }
        try rig.receive(damaged(&rig))
        try rig.receive(damaged(&rig))
        try rig.report([1: true])
        #expect(rig.isOpen)
        for _ in 0..<3 { try rig.receive(damaged(&rig)) }
        #expect(!rig.isOpen)
        #expect(rig.failure == .unreachable(.lost))
    }

    @Test("quirk 28: a device is tried for ever, ever more slowly, up to a minute")
    func endless() throws {
        var rig = try MachineRig()
        var moments: [MonotonicTime] = []
        for _ in 0..<30 {
            try rig.untilAttempt()
            moments.append(rig.now)
            try rig.pass(.seconds(5))
            try rig.refuse(.timedOut(after: .seconds(5)))
        }
        #expect(rig.failure == .unreachable(.timedOut))
        let gaps = zip(moments.dropFirst(), moments).map { ($0 - $1).milliseconds / 1000 - 5 }
        #expect(gaps[0] < 1.3 && gaps[0] > 0.7)
        #expect(gaps.dropFirst(6).allSatisfy { $0 > 47 && $0 < 73 })
        #expect(Set(gaps).count > 20, "delays are jittered")
    }

    @Test("quirk 27: an end of the device's bytes ends the session at once, and it is back within a second")
    func endOfStream() throws {
        var rig = try MachineRig()
        try rig.goOnline()
        try rig.close(after: .seconds(30))
        #expect(rig.failure == .unreachable(.lost))
        let dropped = rig.now
        try rig.untilAttempt()
        #expect(rig.now - dropped >= .milliseconds(100))
        #expect(rig.now - dropped <= .milliseconds(600))
    }

    @Test("one session key in 256 is taken for none: it is thrown away and another agreed on, without alarm")
    func deadKey() throws {
        var rig = try MachineRig(.v35)
        rig.negotiates = false
        try rig.connect()
        // A device nonce that makes the session key begin with zero is found by trying.
        var answer: [UInt8]?
        for first in UInt8.min...UInt8.max where answer == nil {
            let nonce = [first] + [UInt8]("edcba9876543210".utf8)
            let negotiation = try DeviceNegotiation(version: .v35, localKey: rig.key, nonce: nonce)
            let hello = try Negotiation(
                version: .v35,
                localKey: rig.key,
                nonce: [UInt8]("0123456789abcdef".utf8)
            )
            guard let asked = frame(try hello.start(sequence: 1), at: .never, hello) else { continue }
            let (bytes, _) = try negotiation.answer(asked, sequence: 1)
            guard let told = frame(bytes, at: .whereSmall, hello), case .agreed(let agreement) = try hello.receive(told)
            else { continue }
            if !agreement.isUsable { answer = bytes }
        }
        try rig.receive(try #require(answer))
        #expect(!rig.isOpen)
        #expect(rig.status == .starting)
        let dropped = rig.now
        try rig.untilAttempt()
        #expect(rig.now - dropped <= .milliseconds(1_200))
        rig.negotiates = true
        try rig.accept()
        try rig.answerQuery([1: true])
        #expect(rig.status == .online)
    }

    @Test("a session that dies right after its negotiation is made again once, without alarm")
    func deadSession() throws {
        var rig = try MachineRig(.v35)
        try rig.connect()
        try rig.close(.reset, after: .seconds(1))
        #expect(rig.status == .starting)
        try rig.goOnline()
        #expect(rig.status == .online)
    }

    /// The one frame in `bytes`.
    private func frame(_ bytes: [UInt8], at end: ReturnCodeRule, _ negotiation: Negotiation) -> Frame? {
        var decoder = StreamDecoder(returnCodes: end)
        decoder.append(bytes)
        guard case .frame(let frame)? = decoder.next(negotiation.codec.protection) else { return nil }
        return frame
    }
}
