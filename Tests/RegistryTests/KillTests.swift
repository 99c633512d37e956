import HomeModel
import Hub
import JSON
@testable import Registry
import Testing

@Suite("Registry: killed at any moment")
struct KillTests {
    @Test("kill -9 in mid-write loses nothing that was acknowledged", .timeLimit(.minutes(2)))
    func kill() async throws {
        try await withTemporaryDirectory { directory in
            var recoveries = 0
            for round in 0..<15 {
                let writer = try WriterProcess("write", directory)
                var acknowledged = 0
                // It goes on writing while we read, so the kill comes at any point of a commit.
                var wanted = 1 + round * 7 % 23
                while wanted > 0, let line = await writer.line() {
                    guard let count = Int(line) else { continue }
                    acknowledged = count
                    wanted -= 1
                }
                writer.kill()
                let notices = Notices()
                let house = try await withRegistry(directory, notices: notices) { registry in
                    let topics = Set(try await registry.topics().map(\.topic))
                    let missing = (0..<acknowledged).filter { !topics.contains("lintel/device/lamp-\($0)/state") }
                    #expect(missing == [])
                    return try await registry.load()
                }
                if notices.all.contains(.recovered(path: directory + "/registry.db")) { recoveries += 1 }
                #expect(house.devices.count >= acknowledged)
                for (number, device) in house.devices.enumerated() {
                    #expect(device.record.id.text == "lamp-\(number)")
                    #expect(device.secrets.exposed == ["local_key": "key of \(number)"])
                }
                #expect(acknowledged > 0)
            }
            #expect(recoveries > 0)
        }
    }
}
