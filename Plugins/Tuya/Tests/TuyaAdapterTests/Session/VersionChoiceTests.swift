import EventLoop
import JSON
import Testing
import TuyaAdapter
import TuyaProtocol

@Suite("Choice of a protocol version")
struct VersionChoiceTests {
    private let times = SessionTimes()
    private func choice(
        pinned: ProtocolVersion?,
        treatUnknownAs: ProtocolVersion?,
        proven: ProtocolVersion? = nil
    ) -> VersionChoice {
        var settings = DeviceSettings(id: "a")
        settings.version = pinned
        settings.treatUnknownVersionAs = treatUnknownAs
        return VersionChoice(SharedSettings(settings), proven: proven)
    }

    private let start = MonotonicTime(nanoseconds: 1_000_000_000_000)

    @Test("the operator's word counts before all else")
    func pinned() {
        var choice = self.choice(pinned: .v33, treatUnknownAs: nil, proven: .v34)
        let changes = choice.announce(.v35)
        #expect(!changes)
        let step1 = choice.step(at: start, times)
        #expect(step1 == .speak(.v33, headerText: nil))
    }

    @Test("then what the device announces, then what once worked")
    func announced() {
        var choice = self.choice(pinned: nil, treatUnknownAs: nil, proven: .v34)
        let step2 = choice.step(at: start, times)
        #expect(step2 == .speak(.v34, headerText: nil))
        let answer3 = choice.announce(.v35)
        #expect(answer3)
        let step4 = choice.step(at: start, times)
        #expect(step4 == .speak(.v35, headerText: nil))
        let answer5 = choice.announce(.v35)
        #expect(!answer5)
    }

    @Test(
        "quirk 17: without a hint it listens for twenty seconds, tries four versions in two rounds, then holds for ten minutes"
    )
    func probing() {
        var choice = self.choice(pinned: nil, treatUnknownAs: nil)
        var now = start
        let step6 = choice.step(at: now, times)
        #expect(step6 == .wait(until: start + .seconds(20)))
        now = start + .seconds(20)
        for version in [ProtocolVersion.v35, .v34, .v33, .v31, .v35, .v34, .v33, .v31] {
            let step7 = choice.step(at: now, times)
            #expect(step7 == .speak(version, headerText: nil))
            choice.failed(at: now, times)
            now = now + .seconds(10)
        }
        let held = now - .seconds(10) + .seconds(600)
        let step8 = choice.step(at: now, times)
        #expect(step8 == .wait(until: held))
        let step9 = choice.step(at: held, times)
        #expect(step9 == .speak(.v35, headerText: nil))
    }

    @Test("a beacon ends the wait")
    func beacon() {
        var choice = self.choice(pinned: nil, treatUnknownAs: nil)
        _ = choice.step(at: start, times)
        let answer10 = choice.announce(.v33)
        #expect(!answer10, "nothing else was spoken before")
        let step11 = choice.step(at: start, times)
        #expect(step11 == .speak(.v33, headerText: nil))
    }

    @Test("what the device's behaviour suggests is tried first")
    func hint() {
        var choice = self.choice(pinned: nil, treatUnknownAs: nil)
        _ = choice.step(at: start, times)
        let now = start + .seconds(20)
        choice.suspect(.v33)
        let step12 = choice.step(at: now, times)
        #expect(step12 == .speak(.v33, headerText: nil))
        choice.failed(at: now, times)
        let step13 = choice.step(at: now, times)
        #expect(step13 == .speak(.v34, headerText: nil))
    }

    @Test("what has worked is worth keeping once, unless it was told anyway")
    func learned() {
        var choice = self.choice(pinned: nil, treatUnknownAs: nil)
        let answer14 = choice.succeeded(with: .v34)
        #expect(answer14)
        let answer15 = choice.succeeded(with: .v34)
        #expect(!answer15)
        var pinned = self.choice(pinned: .v33, treatUnknownAs: nil)
        let answer16 = pinned.succeeded(with: .v33)
        #expect(!answer16)
    }

    @Test("quirk 22: an unknown version is not spoken, unless the operator says as which")
    func unknown() {
        var choice = self.choice(pinned: nil, treatUnknownAs: nil)
        _ = choice.announce(.unknown("3.9"))
        let step17 = choice.step(at: start, times)
        #expect(step17 == .unsupported("3.9"))
        var forced = self.choice(pinned: nil, treatUnknownAs: .v35)
        _ = forced.announce(.unknown("3.9"))
        let step18 = forced.step(at: start, times)
        #expect(step18 == .speak(.v35, headerText: "3.9"))
    }

    @Test(
        "quirk 17: a device without a version is found by trying, with pauses between attempts",
        arguments: [
            ProtocolVersion.v31, .v33, .v34, .v35,
        ]
    )
    func machine(version: ProtocolVersion) throws {
        var rig = try MachineRig(nil)
        rig.deviceVersion = version
        var moments: [MonotonicTime] = []
        for _ in 0..<4 {
            try rig.untilAttempt()
            moments.append(rig.now)
            if rig.machine.version == version { break }
            // A device that is spoken to in another version says nothing.
            rig.machine.connected(at: rig.now)
            _ = rig.machine.drain()
            try rig.pass(.seconds(11))
        }
        #expect(moments[0] - start >= .seconds(20))
        for (one, next) in zip(moments, moments.dropFirst()) { #expect(next - one >= .seconds(5)) }
        try rig.accept()
        try rig.answerQuery([1: true])
        #expect(rig.status == .online)
        let learned = rig.outputs.contains { if case .learned(let found) = $0 { found == version } else { false } }
        #expect(learned)
    }
}
