import Glibc
import HomeModel
import Hub
@testable import Registry
import Testing

@Suite("Registry: secrets and their key")
struct KeyTests {
    private static let canary = "canary-7f3a9c-local-key"

    /// A registry with one secret.
    private func withSecret(_ body: (String) async throws -> Void) async throws {
        try await withTemporaryDirectory { directory in
            let lamp = try record("lamp")
            try await withRegistry(directory) { registry in
                try await registry.commit([
                    .putDevice(lamp), .putSecrets(Secrets(["local_key": Self.canary]), device: lamp.id),
                ])
            }
            try await body(directory)
        }
    }

    private func secret(in directory: String, change: (inout RegistryOptions) -> Void = { _ in }) async throws
        -> String?
    {
        let house = try await withRegistry(directory, change: change) { try await $0.load() }
        return house.devices.first?.secrets.exposed["local_key"]
    }

    @Test("a secret stands in no file in clear: not in the database, its log, a copy, or the key's file")
    func sealedAtRest() async throws {
        try await withTemporaryDirectory { directory in
            let lamp = try record("lamp")
            let steps = [Migration.all[0], Migration(2, "CREATE TABLE later (a)")]
            try await withRegistry(directory, change: { $0.migrations = [steps[0]] }) { registry in
                try await registry.commit([
                    .putDevice(lamp), .putSecrets(Secrets(["local_key": Self.canary]), device: lamp.id),
                    .putPluginSecrets(Secrets(["token": Self.canary]), plugin: lamp.plugin),
                ])
                #expect(bytes(of: directory + "/registry.db-wal")?.isEmpty == false)
                expectNoCanary(in: directory)
            }
            try await withRegistry(directory, change: { $0.migrations = steps }) { _ in }
            #expect(names(in: directory).contains("registry.db.before-2"))
            expectNoCanary(in: directory)
        }
    }

    private func expectNoCanary(in directory: String) {
        for name in names(in: directory) {
            let text = String(decoding: bytes(of: directory + "/" + name) ?? [], as: Unicode.ASCII.self)
            #expect(!text.contains(Self.canary), "\(name)")
        }
    }

    @Test("a lost key is named and none is made in its place")
    func missing() async throws {
        try await withSecret { directory in
            let path = directory + "/registry.key"
            let kept = try #require(bytes(of: path))
            unlink(path)
            let error = await failure(opening: directory)
            #expect(error == .keyMissing(path: path))
            #expect(error?.description.contains(path) == true)
            #expect(bytes(of: path) == nil)
            try overwrite(path, with: kept)
            #expect(try await secret(in: directory) == Self.canary)
        }
    }

    @Test("a wrong key and a file without a key are named")
    func wrong() async throws {
        try await withSecret { directory in
            let path = directory + "/registry.key"
            try overwrite(path, with: [UInt8](String(repeating: "0f", count: 32).utf8))
            #expect(await failure(opening: directory) == .keyWrong(path: path))
            try overwrite(path, with: [UInt8]("not a key".utf8))
            #expect(await failure(opening: directory) == .keyMalformed(path: path))
        }
    }

    @Test("without any secret a lost key is replaced, and that is told")
    func replaced() async throws {
        try await withTemporaryDirectory { directory in
            try await withRegistry(directory) { _ in }
            unlink(directory + "/registry.key")
            let notices = Notices()
            try await withRegistry(directory, notices: notices) { _ in }
            #expect(notices.all == [.keyReplaced(path: directory + "/registry.key")])
        }
    }

    @Test("a key that others can read is closed to them, and that is told")
    func openPermissions() async throws {
        try await withSecret { directory in
            let path = directory + "/registry.key"
            chmod(path, 0o644)
            let notices = Notices()
            try await withRegistry(directory, notices: notices) { _ in }
            #expect(notices.all == [.keyPermissionsFixed(path: path)])
            #expect(permissions(of: path) == 0o600)
        }
    }

    @Test("a systemd credential takes the file's place, as digits or as bytes")
    func credential() async throws {
        try await withTemporaryDirectory { credentials in
            try await withTemporaryDirectory { directory in
                let path = credentials + "/lintel-registry-key"
                let key = [UInt8](0..<32)
                try overwrite(path, with: key)
                let lamp = try record("lamp")
                try await withRegistry(directory, change: { $0.credentialsDirectory = credentials }) { registry in
                    try await registry.commit([
                        .putDevice(lamp), .putSecrets(Secrets(["local_key": Self.canary]), device: lamp.id),
                    ])
                }
                #expect(!names(in: directory).contains("registry.key"))
                let digits = key.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "\n"
                try overwrite(path, with: [UInt8](digits.utf8))
                #expect(
                    try await secret(in: directory, change: { $0.credentialsDirectory = credentials }) == Self.canary
                )
                #expect(await failure(opening: directory) == .keyMissing(path: directory + "/registry.key"))
            }
        }
    }

    @Test("a sealed row put in another's place does not open, is left out and told")
    func swapped() async throws {
        try await withTemporaryDirectory { directory in
            let (one, two) = (try record("one"), try record("two"))
            try await withRegistry(directory) { registry in
                try await registry.commit([
                    .putDevice(one), .putDevice(two), .putSecrets(Secrets(["key": "first"]), device: one.id),
                    .putSecrets(Secrets(["key": "second"]), device: two.id),
                ])
            }
            try Connection(path: directory + "/registry.db").execute(
                """
                UPDATE secrets SET sealed = (SELECT sealed FROM secrets WHERE owner = 'device:one')
                WHERE owner = 'device:two'
                """
            )
            let notices = Notices()
            let house = try await withRegistry(directory, notices: notices) { try await $0.load() }
            #expect(house.devices.map(\.secrets.exposed) == [["key": "first"], [:]])
            #expect(notices.all == [.secretUnreadable(owner: "device:two", name: "key")])
        }
    }
}
