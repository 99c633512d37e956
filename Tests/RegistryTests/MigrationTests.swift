import HomeModel
import Hub
@testable import Registry
import Testing

@Suite("Registry: migrations")
struct MigrationTests {
    @Test("steps are numbered from 1 without gaps")
    func numbers() {
        #expect(Migration.all.map(\.number) == Array(1...Migration.all.count))
    }

    @Test("released steps never change", arguments: [(1, "6a4d78e2abb10162"), (2, "818766dadb7f6145")])
    func immutable(number: Int, digest: String) throws {
        let migration = try #require(Migration.all.first { $0.number == number })
        #expect(fingerprint(migration.sql) == digest)
    }

    @Test("a new registry says so and makes no copy")
    func new() async throws {
        try await withTemporaryDirectory { directory in
            let notices = Notices()
            try await withRegistry(directory, notices: notices) { _ in }
            #expect(notices.all == [.migrated(from: 0, to: Migration.all.count)])
            #expect(!names(in: directory).contains { $0.contains("before") })
        }
    }

    @Test("a copy is made before each step, the newest three are kept, and a copy opens")
    func snapshots() async throws {
        try await withTemporaryDirectory { directory in
            try await withRegistry(directory, change: { $0.migrations = Self.steps(2) }) { registry in
                try await registry.commit([.putDevice(try record("lamp"))])
            }
            let notices = Notices()
            try await withRegistry(directory, notices: notices, change: { $0.migrations = Self.steps(6) }) { registry in
                let house = try await registry.load()
                #expect(house.devices.count == 1)
            }
            #expect(notices.all == [.migrated(from: 2, to: 6)])
            let copies = names(in: directory).filter { $0.contains("before") }
            #expect(copies == ["registry.db.before-4", "registry.db.before-5", "registry.db.before-6"])
            for copy in copies { #expect(permissions(of: directory + "/" + copy) == 0o600) }

            // Going back as the hint of a newer schema says.
            try await withTemporaryDirectory { older in
                try overwrite(
                    older + "/registry.db",
                    with: try #require(bytes(of: directory + "/registry.db.before-4"))
                )
                try overwrite(older + "/registry.key", with: try #require(bytes(of: directory + "/registry.key")))
                try await withRegistry(older, change: { $0.migrations = Self.steps(3) }) { registry in
                    let house = try await registry.load()
                    #expect(house.devices.count == 1)
                }
            }
        }
    }

    @Test("a step that fails leaves the database as it was, and names the copy")
    func failing() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/registry.db"
            try await withRegistry(directory) { registry in
                try await registry.commit([.putDevice(try record("lamp"))])
            }
            let broken = Migration(3, "CREATE TABLE half (a); DELETE FROM devices; INSERT INTO nowhere VALUES (1)")
            guard
                case .migrationFailed(3, let detail, snapshot: path + ".before-3") = await failure(
                    opening: directory,
                    change: { $0.migrations = Self.steps(2) + [broken] }
                )
            else {
                Issue.record("the step went through")
                return
            }
            #expect(detail.contains("nowhere"))
            let house = try await withRegistry(directory) { try await $0.load() }
            #expect(house.devices.count == 1)
        }
    }

    @Test("a damaged database names the copies there are, newest first")
    func corruptWithSnapshots() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/registry.db"
            try await withRegistry(directory, change: { $0.migrations = Self.steps(2) }) { _ in }
            try await withRegistry(directory, change: { $0.migrations = Self.steps(4) }) { _ in }
            try overwrite(path, with: [1, 2, 3])
            let error = await failure(opening: directory, change: { $0.migrations = Self.steps(4) })
            guard case .corrupt(path, _, let snapshots) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(snapshots == [path + ".before-4", path + ".before-3"])
            #expect(error?.hint?.contains("copy \(path).before-4 to \(path)") == true)
        }
    }

    /// The steps as released, and more that only add a table.
    private static func steps(_ count: Int) -> [Migration] {
        Migration.all + (3...6).prefix(count - Migration.all.count).map { Migration($0, "CREATE TABLE step_\($0) (a)") }
    }

    /// FNV-1a, enough to see that somebody edited a text.
    private func fingerprint(_ text: String) -> String {
        let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
        return String(hash, radix: 16)
    }
}
