import Glibc
import HomeModel
import PluginWire
import TestSupport
import Testing

@Suite("The fake plugin's manifest")
struct FakeManifestTests {
    @Test("it lists what the fake adapter can do")
    func methods() throws {
        let folder = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let file = try #require(fopen("/" + folder + "/Sources/FakePlugin/plugin.json", "r"))
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: PluginManifest.maxBytes)
        let count = fread(&bytes, 1, bytes.count, file)
        let manifest = try PluginManifest(bytes: Array(bytes.prefix(count)))
        #expect(manifest.pairing == FakePairing.methods)
        #expect(manifest.unknownKeys.isEmpty)
    }
}
