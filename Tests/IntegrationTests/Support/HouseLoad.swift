import EventLoop
import JSON
import Simulators
import Testing

/// Renames and moves all lamps and commands them, over and over, and remembers what the gateway acknowledged.
///
/// Names and rooms of a lamp are numbered, so that a lost change shows: what the gateway knows must be what it
/// acknowledged last or what was asked for after that.
@Loop
final class HouseLoad {
    private struct Progress {
        var asked = 0
        var acknowledged = 0
        var mark: String?
    }

    private static let rooms = 7

    private let house: TestHouse
    private let client: TestClient
    private var names: [Progress]
    private var moves: [Progress]
    private var commands: [String] = []
    private var timer: LoopTimer?
    private var hasRooms = false
    /// How many changes the gateway acknowledged.
    private(set) var acknowledged = 0

    init(_ house: TestHouse, _ client: TestClient) {
        self.house = house
        self.client = client
        names = house.lamps.map { _ in Progress() }
        moves = house.lamps.map { _ in Progress() }
    }

    /// Begins to make changes.
    func start() {
        timer = LoopTimer(after: .zero, every: .milliseconds(2)) { [weak self] in self?.step() }
    }

    /// Takes what was acknowledged; what is still under way may or may not have been kept.
    func stop() {
        timer = nil
        collect()
        for index in names.indices {
            for mark in [names[index].mark, moves[index].mark].compactMap({ $0 }) { client.forgetAnswer(to: mark) }
            names[index].mark = nil
            moves[index].mark = nil
        }
        for mark in commands { client.forgetAnswer(to: mark) }
        commands = []
    }

    private func step() {
        collect()
        for index in names.indices {
            let id = JSON.string(house.id(index))
            if names[index].mark == nil {
                names[index].asked += 1
                let name = JSON.string("Lamp \(index) #\(names[index].asked)")
                names[index].mark = client.send("bridge/request/device/rename", ["id": id, "name": name])
            }
            if moves[index].mark == nil, hasRooms {
                moves[index].asked += 1
                let room = JSON.string(Self.room(moves[index].asked))
                moves[index].mark = client.send("bridge/request/device/move", ["id": id, "room": room])
            }
        }
        if commands.count < 4, let id = house.lamps.randomElement()?.identity.id {
            let level = JSON.integer(Int64.random(in: 1...255))
            commands.append(client.send("device/\(id)/set", ["brightness": level]))
        }
    }

    private func collect() {
        for index in names.indices {
            collect(&names[index])
            collect(&moves[index])
        }
        commands.removeAll { mark in
            guard client.answer(to: mark) != nil else { return false }
            client.forgetAnswer(to: mark)
            return true
        }
    }

    private func collect(_ progress: inout Progress) {
        guard let mark = progress.mark, let answer = client.answer(to: mark) else { return }
        if answer["status"] == "ok" {
            progress.acknowledged = progress.asked
            acknowledged += 1
        }
        client.forgetAnswer(to: mark)
        progress.mark = nil
    }

    private static func room(_ number: Int) -> String { "room-\(number % rooms)" }

    /// Waits until the gateway answers, and compares what it knows with what it acknowledged.
    func check() async throws {
        // Requests from before it listens are lost, as the broker keeps none for it.
        var marks: [String] = []
        let timer = LoopTimer(after: .zero, every: .milliseconds(20)) { [client] in
            marks.append(client.send("bridge/request/devices/list"))
        }
        try await house.facts.until("the gateway answers after a kill") { [client] in
            marks.contains { client.answer(to: $0) != nil }
        }
        timer.cancel()
        let answer = marks.lazy.compactMap { [client] in client.answer(to: $0) }.first
        for mark in marks { client.forgetAnswer(to: mark) }
        if !hasRooms { try await makeRooms() }
        for device in answer?["data"]?["devices"]?.arrayValue ?? [] { check(device) }
        let known = answer?["data"]?["devices"]?.arrayValue?.compactMap { $0["id"]?.stringValue } ?? []
        for index in names.indices where names[index].acknowledged > 0 {
            #expect(known.contains(house.id(index)), "a lamp is lost: \(answer?.text ?? "")")
        }
    }

    private func check(_ device: JSON) {
        guard let index = house.lamps.firstIndex(where: { $0.identity.id == device["id"]?.stringValue }) else {
            Issue.record("a stranger: \(device.text)")
            return
        }
        let (name, move) = (names[index], moves[index])
        if name.acknowledged > 0 {
            let number = device["name"]?.stringValue?.split(separator: "#").last.flatMap { Int($0) } ?? -1
            #expect((name.acknowledged...name.asked).contains(number), "\(device.text), but acknowledged: \(name)")
        }
        if move.acknowledged > 0 {
            let rooms = (move.acknowledged...move.asked).map(Self.room)
            #expect(rooms.contains(device["room"]?.stringValue ?? ""), "\(device.text), but acknowledged: \(move)")
        }
    }

    private func makeRooms() async throws {
        let home = try await client.request("home/add", ["name": "Home"])
        try #require(home["status"] == "ok", "\(home.text)")
        for number in 0..<Self.rooms {
            let room = try await client.request("room/add", ["name": .string("Room \(number)")])
            try #require(room["data"]?["id"]?.stringValue == "room-\(number)", "\(room.text)")
        }
        hasRooms = true
    }
}
