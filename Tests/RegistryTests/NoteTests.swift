import HomeModel
import Hub
import JSON
@testable import Registry
import Log
import Testing

@Suite("Registry: notes")
struct NoteTests {
    @Test("the newest state of a device is kept, with the time it was confirmed")
    func newestWins() async throws {
        try await withTemporaryDirectory { directory in
            let lamp = try record("lamp")
            try await withRegistry(directory) { registry in
                try await registry.commit([.putDevice(lamp)])
                for level in 0...50 {
                    registry.note(
                        .state(lamp.id, ["brightness": JSON(level)], at: Timestamp(milliseconds: Int64(level)))
                    )
                }
            }
            let device = try #require(try await withRegistry(directory) { try await $0.load() }.devices.first)
            #expect(device.state == ["brightness": 50])
            #expect(device.stateAt == Timestamp(milliseconds: 50))
        }
    }

    @Test("notes are written by themselves after the interval", .timeLimit(.minutes(1)))
    func timer() async throws {
        try await withTemporaryDirectory { directory in
            let lamp = try record("lamp")
            try await withRegistry(directory, change: { $0.noteInterval = .milliseconds(20) }) { registry in
                try await registry.commit([.putDevice(lamp)])
                for round in 1...3 {
                    let at = Timestamp(milliseconds: Int64(round))
                    registry.note(.state(lamp.id, ["power": true], at: at))
                    while try await registry.load().devices.first?.stateAt != at { await Task.yield() }
                }
            }
        }
    }

    @Test("a state that is noted before its device is put is not lost")
    func early() async throws {
        try await withTemporaryDirectory { directory in
            let lamp = try record("lamp")
            try await withRegistry(directory) { registry in
                registry.note(.state(lamp.id, ["power": true], at: Timestamp(milliseconds: 1)))
                await registry.flush()
                try await registry.commit([.putDevice(lamp)])
                await registry.flush()
                #expect(try await registry.load().devices.first?.state == ["power": true])
                // One that never comes is forgotten.
                registry.note(.state(try deviceID("stranger"), ["power": true], at: Timestamp(milliseconds: 1)))
                for _ in 0..<NoteBuffer.maxMisses { await registry.flush() }
                #expect(registry.notes.withLock { $0.isEmpty })
            }
        }
    }

    @Test("a state of a removed device does not reach one that is put under its id")
    func removed() async throws {
        try await withTemporaryDirectory { directory in
            let lamp = try record("lamp")
            try await withRegistry(directory) { registry in
                try await registry.commit([.putDevice(lamp)])
                registry.note(.state(lamp.id, ["power": true], at: Timestamp(milliseconds: 1)))
                try await registry.commit([.removeDevice(lamp.id)])
                try await registry.commit([.putDevice(lamp)])
                await registry.flush()
                #expect(try await registry.load().devices.first?.state.isEmpty == true)
            }
        }
    }

    @Test("the newest 200 commands of each device are kept; waiting ones are told too, newest first")
    func ring() async throws {
        try await withTemporaryDirectory { directory in
            let (one, two) = (try record("one"), try record("two"))
            try await withRegistry(directory) { registry in
                try await registry.commit([.putDevice(one), .putDevice(two)])
                for number in 1...450 {
                    registry.note(.command(trace(one.id, number)))
                    if number % 100 == 0 { await registry.flush() }
                }
                registry.note(.command(trace(two.id, 7)))
                let waiting = try await registry.provenance(of: one.id, limit: 100)
                #expect(waiting == (351...450).reversed().map { trace(one.id, $0) })
            }
            try await withRegistry(directory) { registry in
                let kept = try await registry.provenance(of: one.id, limit: 1000)
                #expect(kept == (251...450).reversed().map { trace(one.id, $0) })
                #expect(try await registry.provenance(of: two.id, limit: 10) == [trace(two.id, 7)])
                #expect(try await registry.provenance(of: two.id, limit: 0) == [])
            }
        }
    }

    @Test("notes from many tasks at once, while they are written, are all kept")
    func concurrent() async throws {
        try await withTemporaryDirectory { directory in
            let lamps = try (0..<8).map { try record("lamp-\($0)") }
            try await withRegistry(directory, change: { $0.noteInterval = .milliseconds(1) }) { registry in
                try await registry.commit(lamps.map { .putDevice($0) })
                await withTaskGroup(of: Void.self) { group in
                    for lamp in lamps {
                        group.addTask {
                            for number in 1...500 {
                                let at = Timestamp(milliseconds: Int64(number))
                                registry.note(.state(lamp.id, ["number": JSON(number)], at: at))
                                if number % 5 == 0 { registry.note(.command(trace(lamp.id, number))) }
                                if number % 50 == 0 { await registry.flush() }
                            }
                        }
                    }
                }
            }
            try await withRegistry(directory) { registry in
                let house = try await registry.load()
                #expect(house.devices.map { $0.state["number"] } == lamps.map { _ in 500 })
                for lamp in lamps {
                    let traces = try await registry.provenance(of: lamp.id, limit: 1000)
                    #expect(traces == (1...100).reversed().map { trace(lamp.id, $0 * 5) })
                }
            }
        }
    }

    @Test("a full buffer drops the oldest commands and counts them")
    func bounded() throws {
        var buffer = NoteBuffer()
        let lamp = try deviceID("lamp")
        for number in 0..<(NoteBuffer.maxCommands * 2) { buffer.add(.command(trace(lamp, number))) }
        #expect(buffer.commands.count <= NoteBuffer.maxCommands)
        #expect(buffer.commands.last == trace(lamp, NoteBuffer.maxCommands * 2 - 1))
        #expect(buffer.commands.count + buffer.droppedCommands == NoteBuffer.maxCommands * 2)
    }
}
