import Glibc
import HomeModel
import Hub
import JSON
@testable import Registry
import Testing

@Suite("Registry: full disk")
struct DiskFullTests {
    @Test("a commit without space says so, takes nothing, and all that was kept stays")
    func commit() async throws {
        try await withTemporaryDirectory { directory in
            let kept = try await withRegistry(directory, change: { $0.maxPages = 60 }) { registry in
                var count = 0
                let error = await #expect(throws: CommandError.self) {
                    while true {
                        try await registry.commit([.putDevice(try record("lamp-\(count)"))])
                        count += 1
                    }
                }
                #expect(error?.code == .internal)
                #expect(error?.message == "No space is left for \(directory)/registry.db.")
                let house = try await registry.load()
                #expect(house.devices.count == count && count > 10)
                return count
            }
            let house = try await withRegistry(directory) { registry in
                try await registry.commit([.putDevice(try record("after"))])
                return try await registry.load()
            }
            #expect(house.devices.count == kept + 1)
        }
    }

    @Test(
        "a disk that is really full refuses to open, to make and to commit, and harms nothing",
        .timeLimit(.minutes(1))
    )
    func realDisk() async throws {
        try await withSmallDisk(kilobytes: 1024) { disk in
            let directory = disk + "/data"
            let kept = try await withRegistry(directory) { registry in
                var count = 0
                let error = await #expect(throws: CommandError.self) {
                    while true {
                        try await registry.commit([.putDevice(try record("lamp-\(count)"))])
                        count += 1
                    }
                }
                #expect(error?.message.hasPrefix("No space is left") == true, "\(error?.message ?? "")")
                return count
            }
            // What the end of the run has given back is taken too.
            try fill(disk + "/ballast")
            let other = await failure(opening: disk + "/other")
            guard case .diskFull = other else {
                Issue.record("a new registry on a full disk: \(String(describing: other))")
                return
            }
            // It may open or say that the disk is full; either way all is there once there is space.
            let again = await failure(opening: directory)
            if let again {
                guard case .diskFull = again else {
                    Issue.record("the registry on a full disk: \(again)")
                    return
                }
            }
            unlink(disk + "/ballast")
            let house = try await withRegistry(directory) { try await $0.load() }
            #expect(house.devices.count == kept && kept > 10)
        }
    }

    /// Runs `body` with a file system of its own; not at all where we may not mount one.
    private func withSmallDisk(kilobytes: Int, _ body: (String) async throws -> Void) async throws {
        try await withTemporaryDirectory { directory in
            let options = ["-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", directory]
            guard geteuid() == 0, await (try WriterProcess(program: "/bin/mount", options)).succeeds() else { return }
            do {
                try await body(directory)
            } catch {
                Issue.record(error)
            }
            // Lazily: namespaces that other tests have made in the meantime hold a copy of it for a while.
            #expect(await (try WriterProcess(program: "/bin/umount", ["-l", directory])).succeeds())
        }
    }

    /// Writes zeros until nothing goes any more.
    private func fill(_ path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT, 0o600)
        try #require(file >= 0)
        defer { close(file) }
        let zeros = [UInt8](repeating: 0, count: 4096)
        while write(file, zeros, zeros.count) > 0 {}
    }

    @Test("notes wait while there is no space, are told of once, and are written when there is")
    func notes() async throws {
        try await withTemporaryDirectory { directory in
            let lamp = try record("lamp")
            let notices = Notices()
            try await withRegistry(directory, notices: notices) { registry in
                try await registry.commit([.putDevice(lamp)])
                let full = RegistryError.diskFull(path: directory + "/registry.db")
                let large = JSON.string(String(repeating: "x", count: 100_000))
                try await registry.limitPages(to: 1)
                registry.note(.state(lamp.id, ["large": large, "round": 1], at: Timestamp(milliseconds: 1)))
                registry.note(.command(trace(lamp.id, 1)))
                await registry.flush()
                registry.note(.state(lamp.id, ["large": large, "round": 2], at: Timestamp(milliseconds: 2)))
                registry.note(.command(trace(lamp.id, 2)))
                await registry.flush()
                #expect(notices.all.dropFirst() == [.notesDelayed(full)])
                let waiting = try await registry.provenance(of: lamp.id, limit: 10)
                #expect(waiting == [trace(lamp.id, 2), trace(lamp.id, 1)])

                try await registry.limitPages(to: 1_000_000)
                await registry.flush()
                #expect(notices.all.dropFirst() == [.notesDelayed(full), .notesResumed(lost: 0)])
            }
            let house = try await withRegistry(directory) { try await $0.load() }
            #expect(house.devices.first?.state["round"] == 2)
        }
    }
}

extension Registry {
    /// Makes the disk full, as far as SQLite can tell, or gives it space again.
    func limitPages(to count: Int) throws {
        try withDatabase { database throws(RegistryError) in
            try database.connection.execute("PRAGMA max_page_count = \(count)")
        }
    }
}
