import DeviceInterface
import EventLoop
import HomeModel
import JSON
import Simulators
import Testing
import TuyaAdapter
import TuyaProtocol

@Suite("Lamps with faults", .timeLimit(.minutes(1)))
@Loop
struct LampFaultTests {
    /// Versions with each kind of frame and each kind of session.
    nonisolated static let versions: [ProtocolVersion] = [.v31, .v33, .v34, .v35]

    /// Switches, dims and colours a lamp, and sees each confirmed.
    private func exercise(_ rig: AdapterRig, _ id: VendorID) async throws {
        await rig.host.untilOnline(id)
        for step in 1...5 {
            try await rig.confirm(id, ["power": .bool(step % 2 == 0)])
            try await rig.confirm(id, ["power": true, "brightness": JSON(step * 40)])
        }
        try await rig.confirm(id, ["color": ["h": 200, "s": 60]])
    }

    @Test("frames in small pieces", arguments: versions)
    func pieces(version: ProtocolVersion) async throws {
        try await withLamp(
            version,
            prepare: {
                $0.faults.segmentSizes = [1, 7, 3, 20]
                $0.faults.segmentPause = .milliseconds(1)
            }
        ) { _, rig, id in try await exercise(rig, id) }
    }

    @Test("several frames in one segment", arguments: versions)
    func merged(version: ProtocolVersion) async throws {
        try await withLamp(version, prepare: { $0.faults.mergeWindow = .milliseconds(15) }) { _, rig, id in
            try await exercise(rig, id)
        }
    }

    @Test("garbage between frames, with prefixes in it", arguments: versions)
    func garbage(version: ProtocolVersion) async throws {
        try await withLamp(version, prepare: { $0.faults.garbage = [0xFF, 0, 0, 0x55, 1, 2, 0, 0, 0x66] }) {
            _,
            rig,
            id in
            try await exercise(rig, id)
        }
    }

    @Test("quirk 25: slow answers", arguments: versions)
    func slow(version: ProtocolVersion) async throws {
        try await withLamp(version, prepare: { $0.faults.delay = .milliseconds(120) }) { _, rig, id in
            await rig.host.untilOnline(id)
            try await rig.confirm(id, ["power": false])
            try await rig.confirm(id, ["power": true])
        }
    }

    @Test("quirk 23: numbers of their own in answers do not matter", arguments: versions)
    func ownNumbers(version: ProtocolVersion) async throws {
        try await withLamp(version, prepare: { $0.habits.echoesSequence.toggle() }) { _, rig, id in
            try await exercise(rig, id)
        }
    }

    @Test("reports sent twice, and acknowledgements lost", arguments: versions)
    func repeated(version: ProtocolVersion) async throws {
        try await withLamp(
            version,
            prepare: {
                $0.faults.repeatsReports = true
                $0.faults.losesAcknowledgements = true
            }
        ) { _, rig, id in
            await rig.host.untilOnline(id)
            #expect(await rig.write(id, ["power": false]) == .success(.confirmed))
        }
    }

    @Test("lost reports are made up for by a question")
    func lostReports() async throws {
        try await withLamp(prepare: { $0.faults.losesReports = true }) { lamp, rig, id in
            await rig.host.untilOnline(id)
            #expect(await rig.write(id, ["power": false]) == .success(.acknowledged))
            await rig.host.until(id, shows: ["power": false])
        }
    }

    @Test("what a lamp ignores is not told as done, and its true value is")
    func ignored() async throws {
        try await withLamp(prepare: { $0.faults.ignoresSets = true }) { lamp, rig, id in
            await rig.host.untilOnline(id)
            let count = rig.host.reports.count
            #expect(await rig.write(id, ["power": false]) == .success(.acknowledged))
            await rig.host.until { $0.reports.count > count }
            #expect(rig.host.reports.last?.state["power"] == true)
        }
    }

    @Test("quirk 1: a second client is refused", arguments: versions)
    func held(version: ProtocolVersion) async throws {
        try await withLamp(version, prepare: { $0.faults.maximumClients = 0 }) { lamp, rig, id in
            await rig.host.until(id, is: .heldByOtherClient)
            guard case .failure(let error) = await rig.write(id, ["power": true]) else { return #expect(Bool(false)) }
            #expect(error.code == .deviceBusy)
            lamp.faults.maximumClients = nil
            await rig.host.untilOnline(id)
        }
    }

    @Test("a silent lamp is unreachable or refuses the key, and is back when it speaks again", arguments: versions)
    func silent(version: ProtocolVersion) async throws {
        var timing = quickTiming.objectValue ?? [:]
        timing["answer_ms"] = 80
        try await withLamp(version, timing: .object(timing), prepare: { $0.faults.isSilent = true }) { lamp, rig, id in
            await rig.host.until { $0.connectivity[id]?.reason.map { $0 != .starting } ?? false }
            #expect([.unreachable, .keyChanged].contains(rig.host.connectivity[id]?.reason))
            lamp.faults.isSilent = false
            await rig.host.untilOnline(id)
        }
    }

    @Test("a lamp that falls silent is gone after the dead-peer time")
    func fallsSilent() async throws {
        var timing = quickTiming.objectValue ?? [:]
        timing["heartbeat_ms"] = 200
        timing["dead_peer_ms"] = 1000
        try await withLamp(timing: .object(timing)) { lamp, rig, id in
            await rig.host.untilOnline(id)
            lamp.faults.isSilent = true
            await rig.host.until(id, is: .unreachable)
            lamp.faults.isSilent = false
            await rig.host.untilOnline(id)
            #expect(lamp.counts.unheard > 0)
        }
    }

    @Test("a 3.1 lamp answers questions in clear whatever the key; the first command tells that it does not fit")
    func wrongKeyInClear() async throws {
        try await withLamp(.v31) { lamp, rig, id in
            await rig.host.untilOnline(id)
            try lamp.repair(key: "0000000000000000")
            await rig.host.until { $0.connectivity[id]?.isOnline == false }
            await rig.host.untilOnline(id)
            guard case .failure(let error) = await rig.write(id, ["power": true]) else { return #expect(Bool(false)) }
            #expect(error.code == .keyChanged)
        }
    }

    @Test(
        "quirk 30: another key is a changed key, and the right one works again",
        arguments: [ProtocolVersion.v33, .v34, .v35]
    )
    func wrongKey(version: ProtocolVersion) async throws {
        var timing = quickTiming.objectValue ?? [:]
        timing["answer_ms"] = 200
        try await withLamp(version, timing: .object(timing)) { lamp, rig, id in
            await rig.host.untilOnline(id)
            let key = lamp.identity.localKey
            try lamp.repair(key: "0000000000000000")
            await rig.host.until(id, is: .keyChanged)
            let detail = try #require(rig.host.connectivity[id]?.detail)
            #expect(detail.contains("paired again") && detail.contains("updated"))
            guard case .failure(let error) = await rig.write(id, ["power": true]) else { return #expect(Bool(false)) }
            #expect(error.code == .keyChanged && !error.isRetryable)
            try lamp.repair(key: key)
            await rig.host.untilOnline(id)
        }
    }

    @Test("quirk 29: a lamp that restarts and refuses connections meanwhile is back soon after", arguments: versions)
    func rebooting(version: ProtocolVersion) async throws {
        var timing = quickTiming.objectValue ?? [:]
        timing["held_pause_ms"] = 30_000
        try await withLamp(version, timing: .object(timing)) { lamp, rig, id in
            await rig.host.untilOnline(id)
            lamp.reboot(for: .milliseconds(150))
            await rig.host.until { $0.connectivity[id]?.isOnline == false }
            await rig.host.untilOnline(id)
            #expect(rig.host.reasons[id]?.contains(.heldByOtherClient) == false)
        }
    }

    @Test("dead sessions are made again without alarm")
    func deadSessions() async throws {
        try await withLamp(.v35, prepare: { $0.faults.deadSessions = 1 }) { lamp, rig, id in
            await rig.host.untilOnline(id)
            #expect(rig.host.reasons[id] == [.starting])
            #expect(lamp.counts.negotiations >= 2)
        }
    }

    @Test(
        "a connection that breaks in the middle of a command fails the command with a code to try again",
        arguments: versions
    )
    func closesOnSet(version: ProtocolVersion) async throws {
        try await withLamp(version) { lamp, rig, id in
            await rig.host.untilOnline(id)
            lamp.faults.closesOnSet = true
            guard case .failure(let error) = await rig.write(id, ["power": false]) else { return #expect(Bool(false)) }
            #expect(error.code == .deviceOffline && error.isRetryable)
            lamp.faults.closesOnSet = false
            await rig.host.untilOnline(id)
            try await rig.confirm(id, ["power": false])
        }
    }

    @Test(
        "quirk 7, quirk 8: no values to tell; they are known as soon as the lamp reports",
        arguments: [
            LampFaults.StatusAnswer.empty, .noPoints, .nullPoints,
        ]
    )
    func noValues(answer: LampFaults.StatusAnswer) async throws {
        try await withLamp(prepare: { $0.faults.statusAnswer = answer }) { lamp, rig, id in
            await rig.host.untilOnline(id)
            #expect(rig.host.states[id] == nil)
            lamp.report([20: true, 21: "white", 22: 500])
            await rig.host.until(id, shows: ["power": true, "brightness": 128, "mode": "white"])
        }
    }

    @Test(
        "quirk 4, quirk 5: error texts to everything are key or version",
        arguments: ["data format error", "parse data error"]
    )
    func errorTexts(text: String) async throws {
        try await withLamp(prepare: { $0.faults.errorText = text }) { lamp, rig, id in
            await rig.host.until(id, is: text == "parse data error" ? .keyChanged : .protocolChanged)
            lamp.faults.errorText = nil
            await rig.host.untilOnline(id)
        }
    }

    @Test("quirk 6: the wrong id is told as such")
    func wrongID() async throws {
        try await withLamp(device: ["id": "bf9999999999999999"]) { _, rig, _ in
            await rig.host.until(VendorID("bf9999999999999999"), is: "unknown_device_id")
        }
    }

    @Test("quirk 2: a device22 lamp is asked by name", arguments: versions)
    func deviceTwentyTwo(version: ProtocolVersion) async throws {
        try await withLamp(version, prepare: { $0.habits.dialect = .device22 }) { _, rig, id in
            try await exercise(rig, id)
        }
    }

    @Test("quirk 11: values that stand still are refreshed")
    func refresh() async throws {
        try await withLamp(.v33, .meteringPlug, device: ["refresh": ["dps": [18, 19, 20], "interval": 10]]) {
            lamp,
            rig,
            id in
            await rig.host.untilOnline(id)
            lamp.change([19: 500])
            // An empty answer makes the refresh due at once, so that nobody waits ten seconds here.
            lamp.faults.statusAnswer = .empty
            _ = await rig.read(id)
            await rig.host.until(id, shows: ["dp_19": 500])
        }
    }

    @Test("a peer that sends wrong checksums is left, and is back when it does not", arguments: versions)
    func checksums(version: ProtocolVersion) async throws {
        try await withLamp(version) { lamp, rig, id in
            await rig.host.untilOnline(id)
            lamp.faults.corruptsChecksums = true
            for _ in 0..<4 { lamp.report([20: false]) }
            await rig.host.until { $0.connectivity[id]?.isOnline == false }
            lamp.faults.corruptsChecksums = false
            await rig.host.untilOnline(id)
        }
    }

    @Test("quirk 31: with the split option the mode is a message of its own")
    func split() async throws {
        try await withLamp(device: ["split": true]) { lamp, rig, id in
            await rig.host.untilOnline(id)
            let sets = lamp.counts.sets
            try await rig.confirm(id, ["power": true, "color": ["h": 10, "s": 90]])
            #expect(lamp.counts.sets == sets + 2)
        }
    }

    @Test("quirk 15, quirk 16: many commands and reads go over one connection and one negotiation")
    func oneConnection() async throws {
        try await withLamp(.v34) { lamp, rig, id in
            await rig.host.untilOnline(id)
            for step in 1...50 {
                _ = try await rig.write(id, ["power": .bool(step % 2 == 0)]).get()
                if step % 10 == 0 { _ = try await rig.read(id).get() }
            }
            #expect(lamp.counts.connections == 1)
            #expect(lamp.counts.negotiations == 1)
        }
    }
}
