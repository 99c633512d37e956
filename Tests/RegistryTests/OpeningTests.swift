import Glibc
import HomeModel
import Hub
@testable import Registry
import Testing

@Suite("Registry: opening")
struct OpeningTests {
    @Test("the directory, the database, the key and the lock are for our user alone")
    func permissionsOfNewFiles() async throws {
        try await withTemporaryDirectory { parent in
            let directory = parent + "/a/data"
            try await withRegistry(directory) { registry in
                #expect(permissions(of: directory) == 0o700)
                for name in names(in: directory) {
                    #expect(permissions(of: directory + "/" + name) == 0o600, "\(name)")
                }
                #expect(names(in: directory).count == 5, "database, its log and index, key, lock")
            }
            #expect(names(in: directory) == ["lintel.lock", "registry.db", "registry.key"])
        }
    }

    @Test("a second gateway on the same directory is told whose it is, and disturbs nothing")
    func inUse() async throws {
        try await withTemporaryDirectory { directory in
            try await withRegistry(directory) { registry in
                let error = await failure(opening: directory)
                #expect(error == .inUse(directory: directory, process: getpid()))
                try await registry.commit([.putDevice(try record("lamp"))])
            }
            #expect(await failure(opening: directory) == nil)
        }
    }

    @Test("a lock held by another process counts, and ends with that process", .timeLimit(.minutes(1)))
    func inUseByAnotherProcess() async throws {
        try await withTemporaryDirectory { directory in
            let holder = try WriterProcess("hold", directory)
            while let line = await holder.line(), line != "open" {}
            guard case .inUse(directory, process: .some) = await failure(opening: directory) else {
                Issue.record("the lock does not hold")
                return
            }
            holder.kill()
            #expect(await failure(opening: directory) == nil)
        }
    }

    @Test("a registry of a newer version is refused, in words, and not touched")
    func newerSchema() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/registry.db"
            let newest = try #require(Migration.all.last)
            let next = Migration(newest.number + 1, "CREATE TABLE later (a)")
            try await withRegistry(directory, change: { $0.migrations.append(next) }) { registry in
                try await registry.commit([.putDevice(try record("lamp"))])
            }
            let before = bytes(of: path)
            let error = await failure(opening: directory)
            #expect(error == .newerSchema(found: next.number, supported: newest.number, path: path))
            #expect(error?.description.contains("newer Lintel") == true)
            #expect(bytes(of: path) == before)
        }
    }

    @Test("a newer version's log of a killed process is left as it is")
    func newerSchemaWithLog() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/registry.db"
            try await withRegistry(directory) { _ in }
            let connection = try Connection(path: path)
            connection.keepLogOnClose(true)
            try connection.execute("PRAGMA user_version = 99; PRAGMA journal_mode = WAL; CREATE TABLE later (a)")
            let before = (bytes(of: path), bytes(of: path + "-wal"))
            try #require(before.1?.isEmpty == false)
            guard case .newerSchema(99, _, _) = await failure(opening: directory) else {
                Issue.record("it was opened")
                return
            }
            #expect(bytes(of: path) == before.0)
            #expect(bytes(of: path + "-wal") == before.1)
        }
    }

    @Test("a database of another program is refused and not touched")
    func foreign() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/registry.db"
            try overwrite(path, with: [])
            try Connection(path: path).execute("CREATE TABLE theirs (a); PRAGMA user_version = 1")
            let before = bytes(of: path)
            #expect(await failure(opening: directory) == .foreign(path: path))
            #expect(bytes(of: path) == before)
        }
    }

    @Test("a damaged database is refused with what to do, and not touched", arguments: Damage.allCases)
    func corrupt(_ damage: Damage) async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/registry.db"
            try await withRegistry(directory) { registry in
                try await registry.commit((0..<200).map { .putDevice(try record("lamp-\($0)")) })
            }
            try damage.inflict(on: path)
            // As after a crash, so that every page is looked at.
            unlink(directory + "/lintel.lock")
            let before = bytes(of: path)
            guard case .corrupt(path, let detail, snapshots: []) = await failure(opening: directory) else {
                Issue.record("the damage was not seen")
                return
            }
            #expect(!detail.isEmpty)
            #expect(bytes(of: path) == before)
        }
    }

    enum Damage: String, CaseIterable {
        case header, truncated, middle, text

        func inflict(on path: String) throws {
            switch self {
            case .header: try overwrite(path, with: [UInt8](repeating: 0xa5, count: 100))
            case .truncated: truncate(path, 3 * 4096)
            case .middle:
                for page in 3..<20 { try overwrite(path, at: page * 4096, with: [UInt8](repeating: 0x5a, count: 4096)) }
            case .text: try overwrite(path, with: [UInt8]("This is my shopping list, not a database.\n".utf8))
            }
        }
    }

    @Test("damage after a clean end shows when the house is loaded")
    func corruptAfterCleanEnd() async throws {
        try await withTemporaryDirectory { directory in
            try await withRegistry(directory) { registry in
                try await registry.commit((0..<200).map { .putDevice(try record("lamp-\($0)")) })
            }
            try Damage.middle.inflict(on: directory + "/registry.db")
            let error: (any Error)? = await {
                do {
                    _ = try await withRegistry(directory) { try await $0.load() }
                    return nil
                } catch { return error }
            }()
            let words = (error as? CommandError).map(\.message) ?? (error as? RegistryError)?.message
            #expect(words?.contains("is damaged") == true, "\(String(describing: error))")
        }
    }

    @Test("a directory that cannot be written is named", .timeLimit(.minutes(1)))
    func readOnlyDirectory() async throws {
        try await withTemporaryDirectory { directory in
            try await withRegistry(directory) { _ in }
            try await expectRefusal(of: directory, mode: 0o555, for: directory + "/lintel.lock cannot be written.")
        }
    }

    @Test("a database that cannot be written is named", .timeLimit(.minutes(1)))
    func readOnlyFile() async throws {
        try await withTemporaryDirectory { directory in
            try await withRegistry(directory) { _ in }
            chmod(directory + "/registry.db", 0o444)
            chmod(directory + "/lintel.lock", 0o666)
            try await expectRefusal(of: directory, mode: 0o777, for: directory + "/registry.db cannot be written.")
        }
    }

    /// Opens a directory as a user without special rights, since permissions do not bind root.
    private func expectRefusal(of directory: String, mode: mode_t, for message: String) async throws {
        let before = bytes(of: directory + "/registry.db")
        chmod(directory, mode)
        let user = geteuid() == 0 ? "65534" : "\(geteuid())"
        let line = await (try WriterProcess("open", directory, user)).line()
        #expect(line?.hasPrefix(message) == true, "\(line ?? "nothing")")
        #expect(bytes(of: directory + "/registry.db") == before)
    }

    @Test("a directory that cannot be made is named")
    func noDirectory() async {
        let error = await failure(opening: "/proc/nowhere/data")
        guard case .inaccessible("/proc/nowhere/data", _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
