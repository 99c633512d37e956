import EventLoop
import Glibc
import JSON
import Simulators
import TestSupport
import Testing

@Loop
@Suite("A gateway that cannot start", .timeLimit(.minutes(10)))
struct StartFailureTests {
    /// Runs a gateway that is expected to give up, and returns what it said.
    private func failing(_ house: TestHouse, _ configuration: String) async throws -> String {
        let gateway = house.anotherGateway(configuration: configuration)
        try gateway.start()
        let status = try await gateway.ended()
        #expect(status == .exited(3), "\(gateway.text)")
        return gateway.text
    }

    @Test("a data directory that another gateway uses is left alone, and the message names that one")
    func inUse() async throws {
        try await withGateway { house in
            let text = try await failing(house, house.gateway.configuration)
            #expect(text.contains("Another gateway (process \(house.gateway.pid))"), "\(text)")
            #expect(text.contains(house.dataDirectory), "\(text)")
            #expect(try await house.client.set("lamp-1", ["power": false])["stage"] == "confirmed")
            #expect(house.client.all("bridge/state").allSatisfy { $0.text == "online" })
        }
    }

    @Test("another gateway on the same base topic stands aside, and the first notices nothing")
    func sameBaseTopic() async throws {
        try await withGateway { house in
            let text = house.configuration().replacing(house.dataDirectory, with: house.folder.file("other"))
            let second = house.anotherGateway(configuration: try house.folder.write(text, to: "second.yaml"))
            try second.start()
            try await house.facts.until("the second says why") { second.text.contains("duplicate_instance") }
            #expect(house.client.all("bridge/state").allSatisfy { $0.text == "online" })
            #expect(try await house.client.set("lamp-1", ["power": false])["status"] == "ok")
            try await second.stop()
            #expect(house.client.all("bridge/state").allSatisfy { $0.text == "online" })
        }
    }

    @Test("a registry of a newer version is not touched, and the message says what to do")
    func newerSchema() async throws {
        try await withGateway { house in
            _ = try await house.client.request("device/rename", ["id": "lamp-1", "name": "Kept"])
            try await house.gateway.stop()
            let path = house.dataDirectory + "/registry.db"
            // The schema's number stands in the header of the file (SQLite file format, 1.3, offset 60).
            let before = try #require(TextFile.bytes(path))
            #expect(TextFile.overwrite(path, at: 60, with: [0, 0, 0, 99]))
            let changed = try #require(TextFile.bytes(path))
            let text = try await failing(house, house.gateway.configuration)
            #expect(text.contains("newer Lintel") && text.contains("99"), "\(text)")
            #expect(TextFile.bytes(path) == changed)
            #expect(TextFile.overwrite(path, at: 60, with: Array(before[60..<64])))
            try house.gateway.start()
            try await house.facts.until("nothing is lost") {
                house.client.text("bridge/state") == "online"
                    && house.client.json("bridge/device/lamp-1")?["name"] == "Kept"
            }
        }
    }

    @Test("a damaged registry is refused, the file left as it is")
    func damaged() async throws {
        try await withGateway { house in
            try await house.gateway.stop()
            let path = house.dataDirectory + "/registry.db"
            #expect(TextFile.overwrite(path, at: 0, with: Array("This was a database.".utf8)))
            let text = try await failing(house, house.gateway.configuration)
            #expect(text.contains("registry.db"), "\(text)")
            #expect(TextFile.bytes(path)?.prefix(4) == ArraySlice("This".utf8))
        }
    }

    @Test("configurations that cannot be used are refused with all their problems")
    func configurations() async throws {
        var plan = GatewayPlan()
        plan.startsGateway = false
        try await withGateway(plan) { house in
            let folder = house.folder
            #expect(try await failing(house, folder.file("missing.yaml")).contains("missing.yaml"))
            let directory = try await failing(house, folder.path)
            #expect(directory.contains(folder.path), "\(directory)")
            let broken = try folder.write("mqtt: [unclosed\n", to: "broken.yaml")
            let syntax = try await failing(house, broken)
            #expect(syntax.contains("broken.yaml:"), "\(syntax)")
            let wrong = try folder.write("mqtt:\n  urll: x\n  keep_alive: never\n", to: "wrong.yaml")
            let problems = try await failing(house, wrong)
            #expect(problems.contains("wrong.yaml:2:") && problems.contains("url"), "\(problems)")
            #expect(problems.contains("wrong.yaml:3:"), "\(problems)")
            let file = try folder.write("", to: "file")
            let blocked = try folder.write("data_directory: \(file)/data\n", to: "blocked.yaml")
            let unusable = try await failing(house, blocked)
            #expect(unusable.contains(file), "\(unusable)")
        }
    }
}
